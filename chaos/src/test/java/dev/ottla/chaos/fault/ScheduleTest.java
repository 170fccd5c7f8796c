package dev.ottla.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
    private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    @Test
    void seedDecidesEverything() {
        assertThat(Schedule.of(7, TEN_MINUTES, ALL)).isEqualTo(Schedule.of(7, TEN_MINUTES, ALL));
        assertThat(Schedule.of(7, TEN_MINUTES, ALL)).isNotEqualTo(Schedule.of(8, TEN_MINUTES, ALL));
    }

    @Test
    void tenMinutesHaveMoreThanFortyFaultsOfEveryKind() {
        List<Strike> strikes = Schedule.of(1, TEN_MINUTES, ALL).strikes();

        assertThat(strikes).hasSizeGreaterThan(Schedule.required(TEN_MINUTES));
        assertThat(kinds(strikes)).isEqualTo(ALL);
    }

    @Test
    void minuteHasMoreThanTwentyFaultsAndLeavesOutWhatTakesLong() {
        List<Strike> strikes = Schedule.of(1, MINUTE, ALL).strikes();

        assertThat(strikes).hasSizeGreaterThan(20);
        assertThat(kinds(strikes))
                .contains(Fault.CONTROLLER_KILLED, Fault.NODE_RESTARTED_AT_ONCE)
                .doesNotContain(Fault.ROLLING_RESTART, Fault.NODE_JOINS_AND_LEAVES);
    }

    @Test
    void everyFaultHasQuietTimeBehindIt() {
        List<Strike> strikes = Schedule.of(3, TEN_MINUTES, ALL).strikes();

        for (int i = 1; i < strikes.size(); i++) {
            Duration end = strikes.get(i - 1).at().plus(strikes.get(i - 1).hold());
            assertThat(strikes.get(i).at().minus(end)).isGreaterThan(Duration.ofSeconds(5));
        }
        assertThat(strikes.getLast().at()).isLessThan(TEN_MINUTES);
    }

    @Test
    void nodesStartBetweenFaultsThatNeedNoStartAndWhatIsNeededComesEarly() {
        List<Fault> faults =
                Schedule.of(5, MINUTE, ALL).strikes().stream().map(Strike::fault).toList();

        for (int i = 1; i < faults.size(); i++) {
            assertThat(faults.get(i - 1).startsNodes() && faults.get(i).startsNodes()).isFalse();
        }
        assertThat(faults.subList(0, 10)).containsAll(Schedule.NEEDED);
    }

    @Test
    void onlyWhatIsPossibleIsPlayed() {
        Set<Fault> possible = EnumSet.of(Fault.NODE_KILLED, Fault.NODE_PAUSED);

        assertThat(kinds(Schedule.of(1, MINUTE, possible).strikes())).isEqualTo(possible);
        assertThat(Schedule.of(1, MINUTE, Set.of()).strikes()).isEmpty();
    }

    @Test
    void whatDestroysADiskStartsNodes() {
        // So it is spread among faults that leave processes alone.
        assertThat(EnumSet.allOf(Fault.class).stream().filter(Fault::destroys))
                .contains(Fault.POWER_LOST, Fault.BITS_FLIPPED, Fault.NODE_WIPED)
                .allMatch(Fault::startsNodes);
    }

    @Test
    void onlyADiskExplainsThatANodeGivesUpAndNothingExplainsABug() {
        int gaveUp = 1;
        int bug = 70;

        assertThat(ALL.stream().filter(fault -> fault.explains(gaveUp)))
                .containsExactlyInAnyOrder(Fault.WRITES_FAIL, Fault.SYNCS_FAIL, Fault.DISK_FULL);
        assertThat(ALL).noneMatch(fault -> fault.explains(bug));
    }

    @Test
    void everyKindIsNamedByItsWordAndByThatOfItsClass() {
        for (Fault fault : ALL) {
            assertThat(FaultClass.named(fault.word())).contains(Set.of(fault));
            assertThat(fault.faultClass().faults()).contains(fault);
        }
        assertThat(FaultClass.words(ALL)).hasSize(FaultClass.values().length);
        assertThat(FaultClass.named("fire")).isEmpty();
    }

    private static Set<Fault> kinds(List<Strike> strikes) {
        return strikes.stream().map(Strike::fault).collect(Collectors.toSet());
    }
}
