package dev.ottla.chaos;

import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.chaos.scenario.Scenario;
import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import dev.ottla.commandline.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/// What a run may be told. Immutable.
///
/// @param faults none when there is a scenario
/// @param scenario played instead of faults by chance
/// @param seed empty for one by chance
/// @param out where the run leaves its files; empty for a new directory
/// @param check a history to be judged again, instead of a run
record ChaosOptions(
        Duration time,
        int nodes,
        Set<FaultClass> faults,
        Optional<Scenario> scenario,
        OptionalLong seed,
        int recordsPerSecond,
        Optional<Path> out,
        Optional<Path> check) {
    private static final String HELP =
            """
            Usage: ./ottla chaos [OPTIONS]
            Starts a cluster of its own, writes to it and reads from it, breaks it again and again, and proves
            from what clients saw and replicas hold that it kept its promises: no acknowledged write lost, one
            value at each offset, no duplicates, everything in order. Prints the verdict in one line; the exit
            code is 0 when all was kept, 1 when not, 2 when too little was tried to tell.
            OPTIONS

            Faults:
              kill        processes killed: one, the leader, the controller, a coordinator, all; restarts
              pause       processes that stand still
              partition   networks cut between nodes or from clients (needs root)
              disk        disks that are full (needs root) or lost
              clock       clocks of producers that are wrong
              membership  partitions moved and nodes added and taken out under load
            """;

    private static final Option MINUTES =
            valued("minutes", "N", "how long it goes on (default: 10)");
    private static final Option NODES = valued("nodes", "N", "3, 4 or 5 (default: 3)");
    private static final Option FAULTS =
            valued("faults", "NAME[,…]", "which kinds of faults (default: all)");
    private static final Option SCENARIO =
            valued("scenario", "NAME", "plays one short scenario instead of faults by chance");
    private static final Option SEED =
            valued("seed", "S", "repeats the schedule of the run that printed it");
    private static final Option RATE =
            valued("rate", "N", "records a second that are to be written (default: 4000)");
    private static final Option OUT =
            valued(
                    "out",
                    "DIR",
                    "where history, report and the nodes' files go (default: a new one in ottla-chaos)");
    private static final Option CHECK =
            valued("check", "FILE", "judges the history of an earlier run, and runs nothing");

    private static final List<Option> ALL =
            List.of(MINUTES, NODES, FAULTS, SCENARIO, SEED, RATE, OUT, CHECK);

    ChaosOptions {
        faults = Set.copyOf(faults);
    }

    static String help() {
        return HelpPage.of(HELP, ALL);
    }

    /// Throws [UsageException] when the words cannot be understood.
    static ChaosOptions parse(List<String> words) {
        CommandLine line = CommandLines.read(ALL, List.of(), words);
        Optional<Scenario> scenario = scenario(line.getOptionValue(SCENARIO));
        return new ChaosOptions(
                scenario.isPresent()
                        ? Duration.ZERO
                        : Duration.ofMinutes(number(line, MINUTES, 10, 1, 24 * 60)),
                (int) number(line, NODES, 3, 3, 5),
                scenario.isPresent() ? Set.of() : faults(line.getOptionValue(FAULTS)),
                scenario,
                line.hasOption(SEED)
                        ? OptionalLong.of(number(line, SEED, 0, Long.MIN_VALUE, Long.MAX_VALUE))
                        : OptionalLong.empty(),
                (int) number(line, RATE, 4_000, 100, 1_000_000),
                Optional.ofNullable(line.getOptionValue(OUT)).map(Path::of),
                Optional.ofNullable(line.getOptionValue(CHECK)).map(Path::of));
    }

    private static Set<FaultClass> faults(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return EnumSet.allOf(FaultClass.class);
        }
        Set<FaultClass> faults = EnumSet.noneOf(FaultClass.class);
        for (String word : text.split(",", -1)) {
            faults.add(
                    FaultClass.of(word.strip())
                            .orElseThrow(() ->
                                    new UsageException(
                                            "--faults knows %s, not '%s'"
                                                    .formatted(names(), word))));
        }
        return faults;
    }

    private static Optional<Scenario> scenario(@org.jspecify.annotations.Nullable String word) {
        if (word == null) {
            return Optional.empty();
        }
        Optional<Scenario> scenario = Scenario.of(word);
        if (scenario.isEmpty()) {
            throw new UsageException(
                    "--scenario knows %s, not '%s'"
                            .formatted(
                                    Arrays.stream(Scenario.values())
                                            .map(Scenario::word)
                                            .collect(Collectors.joining(", ")),
                                    word));
        }
        return scenario;
    }

    private static String names() {
        return Arrays.stream(FaultClass.values())
                .map(FaultClass::word)
                .collect(Collectors.joining(", "));
    }

    private static long number(CommandLine line, Option option, long usual, long least, long most) {
        String text = line.getOptionValue(option, Long.toString(usual));
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // told below, as one that is too small
        }
        throw new UsageException(
                least == Long.MIN_VALUE
                        ? "--%s takes a whole number and got %s"
                                .formatted(option.getLongOpt(), text)
                        : "--%s takes a number from %d to %d and got %s"
                                .formatted(option.getLongOpt(), least, most, text));
    }

    /// The words that repeat the run with its seed.
    String repeat(long chosenSeed) {
        if (scenario.isPresent()) {
            return "./ottla chaos --scenario %s --nodes %d --rate %d --seed %d"
                    .formatted(scenario.get().word(), nodes, recordsPerSecond, chosenSeed);
        }
        return "./ottla chaos --minutes %d --nodes %d --faults %s --rate %d --seed %d"
                .formatted(
                        time.toMinutes(),
                        nodes,
                        faults.stream()
                                .sorted()
                                .map(FaultClass::word)
                                .collect(Collectors.joining(",")),
                        recordsPerSecond,
                        chosenSeed);
    }
}
