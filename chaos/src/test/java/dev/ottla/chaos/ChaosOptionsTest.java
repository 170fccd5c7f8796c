package dev.ottla.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.commandline.UsageException;
import java.time.Duration;
import java.util.Arrays;
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
        assertThat(options.faults()).containsExactlyInAnyOrder(FaultClass.values());
        assertThat(options.seed()).isEmpty();
    }

    @Test
    void theCommandThatRepeatsARunIsReadAsTheSameRun() {
        ChaosOptions options =
                ChaosOptions.parse(
                        List.of("--minutes", "3", "--faults", "pause,kill", "--nodes", "5"));

        String repeat = options.repeat(-7);

        assertThat(repeat)
                .isEqualTo(
                        "./ottla chaos --minutes 3 --nodes 5 --faults kill,pause --rate 4000 --seed -7");
        List<String> words = Arrays.asList(repeat.split(" ", -1));
        ChaosOptions again = ChaosOptions.parse(words.subList(2, words.size()));
        assertThat(again.faults()).isEqualTo(Set.of(FaultClass.KILL, FaultClass.PAUSE));
        assertThat(again.seed()).hasValue(-7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--minutes 0|--minutes takes a number from 1 to 1440 and got 0",
                "--nodes 2|--nodes takes a number from 3 to 5 and got 2",
                "--seed x|--seed takes a whole number and got x",
                "--faults kill,fire|--faults knows kill, pause, partition, disk, clock, membership, not 'fire'",
                "--minute 1|unknown option --minute, did you mean --minutes?"
            })
    void whatCannotBeMeantIsRefusedWithASentence(String words, String sentence) {
        assertThatThrownBy(() -> ChaosOptions.parse(List.of(words.split(" ", -1))))
                .isInstanceOf(UsageException.class)
                .hasMessage(sentence);
    }

    @Test
    void helpNamesEveryOptionAndEveryKindOfFault() {
        assertThat(ChaosOptions.help())
                .contains("--minutes N", "--faults NAME[,…]", "--check FILE", "membership");
    }
}
