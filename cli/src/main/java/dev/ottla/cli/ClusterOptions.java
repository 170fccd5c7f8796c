package dev.ottla.cli;

import static dev.ottla.commandline.CommandLines.flag;
import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import dev.ottla.commandline.UsageException;
import dev.ottla.config.HostPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/// What `./ottla cluster` may be told. Immutable.
///
/// @param node that `drain` and `remove` name
/// @param topics that `raise` names; all of users with one replica when empty
record ClusterOptions(
        Action action,
        OptionalInt node,
        List<HostPort> bootstrap,
        List<String> topics,
        OptionalInt factor,
        boolean undo,
        boolean waits) {
    enum Action {
        STATUS(
                false,
                """
                Usage: ./ottla cluster status [OPTIONS]
                Shows the brokers with what they lead and hold, who votes on the metadata and which node is the
                active controller, and partitions that have no leader or replicas that are not in sync. It changes
                nothing, and answers from one broker where the others are down. Its exit code is 0 with an active
                controller, 1 without one or where nobody answers.
                OPTIONS
                """),
        RAISE(
                false,
                """
                Usage: ./ottla cluster raise [OPTIONS]
                Gives topics with one replica more of them; all topics of users, or those of --topic. To be run
                after brokers have joined, for what was created before has one replica. As many brokers must run
                as each partition shall have replicas. Waits until the new replicas are in sync; the topics can be
                used all the time.
                OPTIONS
                """),
        DRAIN(
                true,
                """
                Usage: ./ottla cluster drain NODE [OPTIONS]
                Moves every replica of a broker to the others; it gets no new ones from then on, until --undo.
                The broker runs on and should be running: what only it holds is copied from it. For each of its
                partitions there must be another broker without a replica. Waits until the others are in sync;
                then the broker can be stopped, and taken out with './ottla cluster remove NODE'.
                OPTIONS
                """),
        REMOVE(
                true,
                """
                Usage: ./ottla cluster remove NODE [OPTIONS]
                Takes a broker out of the cluster, which forgets it. It must be drained ('./ottla cluster drain
                NODE') and stopped. Delete its data directory then: a node that is started from it joins again.
                OPTIONS
                """);

        private final boolean namesNode;
        private final String help;

        Action(boolean namesNode, String help) {
            this.namesNode = namesNode;
            this.help = help;
        }

        static Optional<Action> of(String word) {
            return Arrays.stream(values()).filter(known -> known.word().equals(word)).findFirst();
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String HELP =
            """
            Usage: ./ottla cluster ACTION [OPTIONS]
              status        who is there, who leads, what is not as it should be
              raise         give topics with one replica more of them, after brokers have joined
              drain NODE    move everything off a broker, its vote too; it gets nothing new from then on
              remove NODE   forget a broker that is drained and stopped
            Each explains itself with --help.
            OPTIONS

            Moves run in the cluster: waiting for them may be broken off with Ctrl-C.
            """;
    private static final HostPort HERE = new HostPort("localhost", 9092);

    private static final Option BOOTSTRAP =
            valued(
                    "bootstrap",
                    "HOST:PORT[,…]",
                    "a broker of the cluster (default: localhost:9092)");
    private static final Option TOPIC =
            valued("topic", "NAME", "raise: only this topic; may be repeated");
    private static final Option FACTOR =
            valued(
                    "factor",
                    "N",
                    "raise: replicas of each partition (default: 3, or as many as there are brokers)");
    private static final Option UNDO = flag("undo", "drain: the broker gets replicas again");
    private static final Option NO_WAIT = flag("no-wait", "raise, drain: only begin the moves");

    private static final List<Option> ALL = List.of(BOOTSTRAP, TOPIC, FACTOR, UNDO, NO_WAIT);

    /// Of the action that the words name, or of all.
    static String help(List<String> words) {
        return words.stream()
                .flatMap(word -> Action.of(word).stream())
                .findFirst()
                .map(action -> HelpPage.of(action.help, optionsOf(action)))
                .orElseGet(() -> HelpPage.of(HELP, ALL));
    }

    private static List<Option> optionsOf(Action action) {
        return switch (action) {
            case STATUS, REMOVE -> List.of(BOOTSTRAP);
            case RAISE -> List.of(BOOTSTRAP, TOPIC, FACTOR, NO_WAIT);
            case DRAIN -> List.of(BOOTSTRAP, UNDO, NO_WAIT);
        };
    }

    static ClusterOptions parse(List<String> words) {
        String first = words.isEmpty() ? "" : words.getFirst();
        Action action =
                Action.of(first)
                        .orElseThrow(() ->
                                new UsageException(
                                        first.isEmpty()
                                                ? "an action is missing: status, raise, drain NODE or remove NODE"
                                                : "unknown action %s: use status, raise, drain NODE or remove NODE"
                                                        .formatted(first)));
        List<String> rest = words.subList(1, words.size());
        OptionalInt node = OptionalInt.empty();
        if (action.namesNode) {
            String id = rest.isEmpty() ? "" : rest.getFirst();
            if (id.isEmpty() || id.startsWith("-")) {
                throw new UsageException(
                        "%s needs the id of a broker: %s NODE"
                                .formatted(action.word(), action.word()));
            }
            node = OptionalInt.of(number("the id of a broker", id, 0));
            rest = rest.subList(1, rest.size());
        }
        CommandLine read = CommandLines.read(ALL, List.of(TOPIC), rest);
        refuse(read, action, Action.RAISE, TOPIC, FACTOR);
        refuse(read, action, Action.DRAIN, UNDO);
        String[] topics = read.getOptionValues(TOPIC);
        return new ClusterOptions(
                action,
                node,
                bootstrap(read),
                topics == null ? List.of() : List.of(topics),
                read.hasOption(FACTOR)
                        ? OptionalInt.of(number("--factor", read.getOptionValue(FACTOR), 1))
                        : OptionalInt.empty(),
                read.hasOption(UNDO),
                !read.hasOption(NO_WAIT));
    }

    private static void refuse(CommandLine read, Action action, Action owner, Option... options) {
        for (Option option : options) {
            if (action != owner && read.hasOption(option)) {
                throw new UsageException(
                        "--%s belongs to %s, not to %s"
                                .formatted(option.getLongOpt(), owner.word(), action.word()));
            }
        }
    }

    private static List<HostPort> bootstrap(CommandLine read) {
        if (!read.hasOption(BOOTSTRAP)) return List.of(HERE);
        List<HostPort> addresses = new ArrayList<>();
        for (String address : read.getOptionValue(BOOTSTRAP).split(",", -1)) {
            int colon = address.lastIndexOf(':');
            String host = colon < 0 ? address : address.substring(0, colon);
            if (host.isBlank()) {
                throw new UsageException(
                        "--bootstrap needs addresses like localhost:9092, not " + address);
            }
            int port =
                    colon < 0
                            ? HERE.port()
                            : number("the port of --bootstrap", address.substring(colon + 1), 1);
            addresses.add(new HostPort(host.strip(), port));
        }
        return addresses;
    }

    private static int number(String what, String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) return number;
        } catch (NumberFormatException e) {
            // Told below, like a number that is too small.
        }
        throw new UsageException(
                "%s must be a number from %d on, not %s".formatted(what, least, text));
    }
}
