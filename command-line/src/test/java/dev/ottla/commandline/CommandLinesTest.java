package dev.ottla.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Test;

final class CommandLinesTest {
    private static final Option PORT = CommandLines.valued("port", "PORT", "where to listen");
    private static final Option SET = CommandLines.valued("set", "KEY=VALUE", "a key");
    private static final Option QUICK = CommandLines.flag("quick", "less of it");
    private static final Option SHORT = Option.builder("x").longOpt("extra").desc("more").get();
    private static final List<Option> ALL = List.of(PORT, SET, QUICK, SHORT);

    @Test
    void valuesFollowTheirOptionOrItsEqualsSign() {
        CommandLine line = read("--set", "a=1", "--quick", "--set=b=2", "--port", "-1", "-x");

        assertThat(line.getOptionValues(SET)).containsExactly("a=1", "b=2");
        assertThat(line.getOptionValue(PORT)).isEqualTo("-1");
        assertThat(line.hasOption(QUICK)).isTrue();
        assertThat(line.hasOption(SHORT)).isTrue();
        assertThat(read().getOptions()).isEmpty();
    }

    @Test
    void wordThatCannotBePlacedIsNamed() {
        refused("unknown option --prot, did you mean --port?", "--prot", "1");
        refused("unknown option --quick1, did you mean --quick?", "--quick1");
        refused("unknown option -y", "-y");
        refused("the word extra belongs to no option", "--port=0", "extra");
        refused("the word - belongs to no option", "-");
        refused("--port needs a value: --port PORT", "--port");
        refused("--port needs a value: --port PORT", "--port", "--quick");
        refused("--port was given twice, with 1 and with 2", "--port=1", "--port=2");
    }

    @Test
    void oneDashIsNotTakenForTwo() {
        refused("unknown option -port, did you mean --port?", "-port", "9092");
        refused("unknown option -port, did you mean --port?", "-port=9092");
        refused("unknown option -port9092, did you mean --port?", "-port9092");
        refused("unknown option -quick, did you mean --quick?", "-quick");
        refused("unknown option -xy", "-xy");
        refused("--set needs a value", "--set", "-port", "0");
        refused("the word -- belongs to no option", "--");
        refused("the word -- belongs to no option", "--", "--port=0");
        refused("the word -- belongs to no option", "--port", "--", "0");
    }

    @Test
    void helpHasATableOfTheOptions() {
        assertThat(HelpPage.of("Usage\nOPTIONS\nend\n", ALL).lines())
                .hasSize(2 + ALL.size())
                .startsWith("Usage")
                .endsWith("end")
                .anyMatch(line -> line.matches(" *--port PORT +where to listen"))
                .anyMatch(line -> line.matches(" *--quick +less of it"));
    }

    private static void refused(String reason, String... words) {
        assertThatThrownBy(() -> read(words))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(reason);
    }

    private static CommandLine read(String... words) {
        return CommandLines.read(ALL, List.of(SET), List.of(words));
    }
}
