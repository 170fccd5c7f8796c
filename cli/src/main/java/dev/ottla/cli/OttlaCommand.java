package dev.ottla.cli;

import picocli.CommandLine.Command;

/// The top of the command tree; each subcommand is one class.
@Command(
        name = "ottla",
        description = "Ottla, a Kafka in one process.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {StartCommand.class, TrainCommand.class})
final class OttlaCommand {}
