package dev.ottla.commandline;

import dev.ottla.config.NearestName;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/// Reads the words behind a command with Commons CLI, and says in our words what is wrong.
public final class CommandLines {
    private CommandLines() {}

    /// An option that takes a value, `--name VALUE` or `--name=VALUE`.
    public static Option valued(String name, String value, String text) {
        return Option.builder().longOpt(name).hasArg().argName(value).desc(text).get();
    }

    /// An option that is there or not, `--name`.
    public static Option flag(String name, String text) {
        return Option.builder().longOpt(name).desc(text).get();
    }

    /// Nothing but options is expected, each once except `repeatable`. Throws [UsageException] when
    /// a word cannot be placed.
    public static CommandLine read(
            List<Option> declared, List<Option> repeatable, List<String> words) {
        Options options = new Options();
        declared.forEach(options::addOption);
        refuseOneDashForTwo(options, words);
        CommandLine read = parse(options, words);
        if (!read.getArgList().isEmpty()) {
            throw new UsageException(
                    "the word " + read.getArgList().getFirst() + " belongs to no option");
        }
        for (Option option : read.getOptions()) {
            if (option.hasArg() && !repeatable.contains(option)) {
                refuseTwice(option, List.of(read.getOptionValues(option)));
            }
        }
        return read;
    }

    private static void refuseTwice(Option option, List<String> values) {
        if (values.size() > 1) {
            throw new UsageException(
                    "--%s was given twice, with %s and with %s"
                            .formatted(option.getLongOpt(), values.get(0), values.get(1)));
        }
    }

    /// Commons CLI would take `-port 9092` and `-port9092` for `--port 9092`, and leave out `--`.
    /// What stands where a value is due is left to it.
    private static void refuseOneDashForTwo(Options options, List<String> words) {
        boolean valueIsDue = false;
        for (String word : words) {
            if (!valueIsDue && isOneDash(word) && !isShortOption(options, word)) {
                throw unknown(options, word);
            }
            if (word.equals("--")) {
                throw new UsageException(
                        "the word -- belongs to no option; values follow their option: --NAME VALUE");
            }
            valueIsDue =
                    !valueIsDue && options.hasLongOption(word) && options.getOption(word).hasArg();
        }
    }

    /// Commons CLI counts an option that has only a long name as a short one too.
    private static boolean isShortOption(Options options, String word) {
        return options.getOptions().stream()
                .anyMatch(option -> word.substring(1).equals(option.getOpt()));
    }

    private static boolean isOneDash(String word) {
        return word.length() > 1 && word.startsWith("-") && !word.startsWith("--");
    }

    private static CommandLine parse(Options options, List<String> words) {
        DefaultParser parser =
                DefaultParser.builder()
                        .setAllowPartialMatching(false)
                        .setStripLeadingAndTrailingQuotes(false)
                        .get();
        try {
            return parser.parse(options, words.toArray(String[]::new));
        } catch (UnrecognizedOptionException e) {
            throw unknown(options, e.getOption());
        } catch (MissingArgumentException e) {
            String name = "--" + e.getOption().getLongOpt();
            throw new UsageException(
                    name + " needs a value: " + name + " " + e.getOption().getArgName());
        } catch (ParseException e) {
            throw new UsageException("the command line cannot be read: " + e.getMessage());
        }
    }

    private static UsageException unknown(Options options, String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        return new UsageException(
                nearest(options, name)
                        .map(near -> "unknown option %s, did you mean --%s?".formatted(name, near))
                        .orElse("unknown option " + name));
    }

    /// The option with nearly that name, or one of whose name the word is a part, or the other way
    /// round, because a value was typed right behind it.
    private static Optional<String> nearest(Options options, String word) {
        List<String> names = options.getOptions().stream().map(Option::getLongOpt).toList();
        String typed = letters(word);
        return NearestName.among(names.stream().map(CommandLines::letters).toList(), typed)
                .or(() -> Optional.of(typed).filter(part -> part.length() > 1))
                .flatMap(near ->
                        names.stream().filter(name -> letters(name).contains(near)).findFirst())
                .or(() ->
                        names.stream().filter(name -> typed.startsWith(letters(name))).findFirst());
    }

    private static String letters(String name) {
        return name.replace("-", "").replace("_", "");
    }
}
