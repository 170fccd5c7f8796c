package dev.ottla.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.chaos.fault.Fault;
import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.commandline.UsageException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChaosOptionsTest {
    @Test
    void withoutOptionsItIsTenMinutesOfEverythingOnThreeNodes() {
        ChaosOptions options = ChaosOptions.parse(List.of());

        assertThat(options.time()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.nodes()).isEqualTo(3);
        assertThat(options.faults()).containsExactlyInAnyOrder(Fault.values());
        assertThat(options.seed()).isEmpty();
    }

    @Test
    void theCommandThatRepeatsARunIsReadAsTheSameRun() {
        ChaosOptions options =
                ChaosOptions.parse(
                        List.of(
                                "--minutes",
                                "3",
                                "--faults",
                                "power-lost,pause,kill",
                                "--nodes",
                                "5"));

        String repeat = options.repeat(-7);

        assertThat(repeat)
                .isEqualTo(
                        "./ottla chaos --minutes 3 --nodes 5 --faults kill,pause,power-lost --rate 4000 --seed -7");
        List<String> words = Arrays.asList(repeat.split(" ", -1));
        ChaosOptions again = ChaosOptions.parse(words.subList(2, words.size()));
        Set<Fault> expected = EnumSet.of(Fault.POWER_LOST);
        expected.addAll(FaultClass.KILL.faults());
        expected.addAll(FaultClass.PAUSE.faults());
        assertThat(again.faults()).isEqualTo(expected);
        assertThat(again.seed()).hasValue(-7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--minutes 0|--minutes takes a number from 1 to 1440 and got 0",
                "--nodes 2|--nodes takes a number from 3 to 5 and got 2",
                "--seed x|--seed takes a whole number and got x",
                "--faults kill,fire|--faults knows kill, pause, partition, disk, damage, clock, membership, client and the kinds that --help names, not 'fire'",
                "--hook /bin/sh|--hook goes with --bootstrap: a cluster of its own needs none",
                "--bootstrap here|--bootstrap takes HOST:PORT, or several separated by commas, and got here",
                "--bootstrap a:1 --nodes 3|--nodes is for a cluster of its own, and --bootstrap names another one",
                "--bootstrap a:1 --scenario power-lost-by-all|--scenario is for a cluster of its own, and --bootstrap names another one",
                "--bootstrap a:1 --hook /nowhere|--hook takes a file that can be executed, and /nowhere is none",
                "--bootstrap a:1 --faults kill|none of these faults can be played in a cluster that is there without --hook",
                "--bootstrap a:1 --hook /bin/sh --faults disk|none of these faults can be played in a cluster that is there; leave out --bootstrap",
                "--minute 1|unknown option --minute, did you mean --minutes?"
            })
    void whatCannotBeMeantIsRefusedWithASentence(String words, String sentence) {
        assertThatThrownBy(() -> ChaosOptions.parse(List.of(words.split(" ", -1))))
                .isInstanceOf(UsageException.class)
                .hasMessage(sentence);
    }

    @Test
    void aClusterThatIsThereGetsTheFaultsThatItLetsTheRunPlay() {
        ChaosOptions plain = ChaosOptions.parse(List.of("--bootstrap", "a:1,b:2"));
        ChaosOptions hooked =
                ChaosOptions.parse(List.of("--bootstrap", "a:1", "--hook", "/bin/sh"));

        assertThat(plain.faults())
                .contains(Fault.LEADERS_MOVED, Fault.CLIENT_KILLED, Fault.CLOCKS_OF_WRITERS_AHEAD)
                .doesNotContain(Fault.NODE_KILLED, Fault.POWER_LOST, Fault.NODE_CUT_OFF);
        assertThat(hooked.faults())
                .containsAll(plain.faults())
                .contains(Fault.NODE_KILLED, Fault.CONTROLLER_PAUSED, Fault.BRIDGE)
                .doesNotContain(Fault.POWER_LOST, Fault.DISK_FULL, Fault.NODE_JOINS_AND_LEAVES);
        String repeat = hooked.repeat(4);
        assertThat(repeat).contains(" --bootstrap a:1 --hook /bin/sh ", " --seed 4");
        List<String> words = Arrays.asList(repeat.split(" ", -1));
        assertThat(ChaosOptions.parse(words.subList(2, words.size())).faults())
                .isEqualTo(hooked.faults());
    }

    @Test
    void helpNamesEveryOptionAndEveryKindOfFault() {
        assertThat(ChaosOptions.help())
                .contains("--minutes N", "--faults NAME[,…]", "--check FILE", "membership")
                .contains("--bootstrap HOST:PORT[,…]", "--hook PROGRAM");
        for (Fault fault : Fault.values()) {
            assertThat(ChaosOptions.help()).contains(" " + fault.word());
        }
    }
}
