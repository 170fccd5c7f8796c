package dev.ottla.commandline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.help.HelpFormatter;
import org.apache.commons.cli.help.OptionFormatter;
import org.apache.commons.cli.help.TableDefinition;
import org.apache.commons.cli.help.TextHelpAppendable;

/// The page that `--help` prints.
public final class HelpPage {
    private static final String OPTIONS = "\nOPTIONS\n";
    private static final int WIDTH = 100;

    private HelpPage() {}

    /// `text` with a table of `options`, in their order, in place of its line `OPTIONS`.
    public static String of(String text, List<Option> options) {
        return text.replace(
                OPTIONS,
                table(options)
                        .lines()
                        .filter(line -> !line.isBlank())
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n", "\n", "\n")));
    }

    private static String table(List<Option> options) {
        TableDefinition table =
                HelpFormatter.builder()
                        .setShowSince(false)
                        .setComparator((_, _) -> 0)
                        .setOptionFormatBuilder(
                                OptionFormatter.builder().setArgumentNameDelimiters("", ""))
                        .get()
                        .getTableDefinition(options);
        StringBuilder lines = new StringBuilder();
        TextHelpAppendable page = new TextHelpAppendable(lines);
        page.setMaxWidth(WIDTH);
        try {
            page.appendTable(
                    TableDefinition.from(
                            "", table.columnTextStyles(), List.of("", ""), table.rows()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of a StringBuilder: cannot be
        }
        return lines.toString();
    }
}
