package dev.ottla.chaos;

import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.chaos.cluster.Cluster.Means;
import dev.ottla.chaos.fault.Fault;
import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.chaos.scenario.Scenario;
import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import dev.ottla.commandline.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
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
/// @param given empty for a cluster of its own
record ChaosOptions(
        Duration time,
        int nodes,
        Set<Fault> faults,
        Optional<Scenario> scenario,
        OptionalLong seed,
        int recordsPerSecond,
        Optional<Path> out,
        Optional<Path> check,
        Optional<Given> given) {
    /// A cluster that is there already.
    ///
    /// @param hook does to its nodes what only their owner can do
    record Given(String bootstrap, Optional<Path> hook) {
        /// What faults may need of it at most.
        Set<Means> means() {
            return hook.isPresent()
                    ? Set.of(Means.MOVE, Means.KILL, Means.PAUSE, Means.CUT)
                    : Set.of(Means.MOVE);
        }
    }

    private static final String HELP =
            """
            Usage: ./ottla chaos [OPTIONS]
            Starts a cluster of its own, writes to it and reads from it, breaks it again and again, and proves
            from what clients saw and replicas hold that it kept its promises: no acknowledged write lost, one
            value at each offset, no duplicates, everything in order. Prints the verdict in one line; the exit
            code is 0 when all was kept, 1 when not, 2 when too little was tried to tell. With --bootstrap
            it does the same to a cluster that is there, in topics and groups of its own (chaos-…); what is
            to be done to nodes there a program does that --hook names.
            OPTIONS

            Faults, by class or one by one:
            """;

    private static final int WIDTH = 110;

    private static final Option MINUTES =
            valued("minutes", "N", "how long it goes on (default: 10)");
    private static final Option NODES = valued("nodes", "N", "3, 4 or 5 (default: 3)");
    private static final Option FAULTS =
            valued("faults", "NAME[,…]", "which classes or kinds of faults (default: all)");
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

    private static final Option BOOTSTRAP =
            valued(
                    "bootstrap",
                    "HOST:PORT[,…]",
                    "a cluster that is there, instead of one of its own");
    private static final Option HOOK =
            valued(
                    "hook",
                    "PROGRAM",
                    "called for faults on nodes of that cluster: kill N, start N, pause N, resume N, cut N M, heal; ends with 0 when done, 3 when not supported");

    private static final List<Option> ALL =
            List.of(MINUTES, NODES, FAULTS, SCENARIO, SEED, RATE, OUT, CHECK, BOOTSTRAP, HOOK);

    private static final Pattern ADDRESSES =
            Pattern.compile("[^,:\\s]+:\\d{1,5}(,[^,:\\s]+:\\d{1,5})*");

    ChaosOptions {
        faults = Set.copyOf(faults);
    }

    static String help() {
        return HelpPage.of(HELP + faultsExplained(), ALL);
    }

    /// Each class with what it is and its kinds.
    private static String faultsExplained() {
        StringBuilder text = new StringBuilder();
        for (FaultClass each : FaultClass.values()) {
            text.append("  %-11s %s\n".formatted(each.word(), each.meaning()));
            StringBuilder line = new StringBuilder();
            for (Fault fault : each.faults()) {
                if (line.length() + fault.word().length() + 1 > WIDTH) {
                    text.append(line).append('\n');
                    line.setLength(0);
                }
                line.append(line.isEmpty() ? " ".repeat(14) : " ").append(fault.word());
            }
            text.append(line).append('\n');
        }
        return text.toString();
    }

    /// Throws [UsageException] when the words cannot be understood.
    static ChaosOptions parse(List<String> words) {
        CommandLine line = CommandLines.read(ALL, List.of(), words);
        Optional<Given> given = given(line);
        Optional<Scenario> scenario = scenario(line.getOptionValue(SCENARIO));
        int least = scenario.map(Scenario::nodes).orElse(3);
        return new ChaosOptions(
                scenario.isPresent()
                        ? Duration.ZERO
                        : Duration.ofMinutes(number(line, MINUTES, 10, 1, 24 * 60)),
                (int) number(line, NODES, least, least, 5),
                scenario.isPresent() ? Set.of() : faults(line.getOptionValue(FAULTS), given),
                scenario,
                line.hasOption(SEED)
                        ? OptionalLong.of(number(line, SEED, 0, Long.MIN_VALUE, Long.MAX_VALUE))
                        : OptionalLong.empty(),
                (int) number(line, RATE, 4_000, 100, 1_000_000),
                Optional.ofNullable(line.getOptionValue(OUT)).map(Path::of),
                Optional.ofNullable(line.getOptionValue(CHECK)).map(Path::of),
                given);
    }

    private static Optional<Given> given(CommandLine line) {
        Optional<String> bootstrap = Optional.ofNullable(line.getOptionValue(BOOTSTRAP));
        Optional<Path> hook = Optional.ofNullable(line.getOptionValue(HOOK)).map(Path::of);
        if (bootstrap.isEmpty()) {
            if (hook.isPresent()) {
                throw new UsageException(
                        "--hook goes with --bootstrap: a cluster of its own needs none");
            }
            return Optional.empty();
        }
        if (!ADDRESSES.matcher(bootstrap.get()).matches()) {
            throw new UsageException(
                    "--bootstrap takes HOST:PORT, or several separated by commas, and got "
                            + bootstrap.get());
        }
        for (Option option : List.of(NODES, SCENARIO)) {
            if (line.hasOption(option)) {
                throw new UsageException(
                        "--%s is for a cluster of its own, and --bootstrap names another one"
                                .formatted(option.getLongOpt()));
            }
        }
        if (hook.isPresent()
                && !(Files.isRegularFile(hook.get()) && Files.isExecutable(hook.get()))) {
            throw new UsageException(
                    "--hook takes a file that can be executed, and %s is none"
                            .formatted(hook.get()));
        }
        return Optional.of(new Given(bootstrap.get(), hook));
    }

    /// Without those that a given cluster is out of reach of.
    private static Set<Fault> faults(
            @org.jspecify.annotations.Nullable String text, Optional<Given> given) {
        Set<Fault> faults = faults(text);
        if (given.isPresent()) {
            Set<Means> means = given.get().means();
            faults.removeIf(fault -> !means.containsAll(fault.needs()));
            if (faults.isEmpty()) {
                throw new UsageException(
                        given.get().hook().isPresent()
                                ? "none of these faults can be played in a cluster that is there; leave out --bootstrap"
                                : "none of these faults can be played in a cluster that is there without --hook");
            }
        }
        return faults;
    }

    private static Set<Fault> faults(@org.jspecify.annotations.Nullable String text) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        if (text == null) {
            return EnumSet.allOf(Fault.class);
        }
        for (String word : text.split(",", -1)) {
            faults.addAll(
                    FaultClass.named(word.strip())
                            .orElseThrow(() ->
                                    new UsageException(
                                            "--faults knows %s and the kinds that --help names, not '%s'"
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
        String cluster =
                given.map(there ->
                                "--bootstrap "
                                        + there.bootstrap()
                                        + there.hook().map(hook -> " --hook " + hook).orElse(""))
                        .orElse("--nodes " + nodes);
        return "./ottla chaos --minutes %d %s --faults %s --rate %d --seed %d"
                .formatted(
                        time.toMinutes(),
                        cluster,
                        String.join(",", FaultClass.words(faults)),
                        recordsPerSecond,
                        chosenSeed);
    }
}
