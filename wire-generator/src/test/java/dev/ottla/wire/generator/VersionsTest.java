package dev.ottla.wire.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VersionsTest {
    private static final Versions KNOWN = new Versions(3, 9);

    @Test
    void readsEveryFormOfTheDefinitions() {
        assertThat(Versions.parse("none").isEmpty()).isTrue();
        assertThat(Versions.parse("4")).isEqualTo(new Versions(4, 4));
        assertThat(Versions.parse("4-7")).isEqualTo(new Versions(4, 7));
        assertThat(Versions.parse("4+")).isEqualTo(new Versions(4, Short.MAX_VALUE));
    }

    @Test
    void conditionSaysOnlyWhatIsNotKnown() {
        assertThat(Versions.parse("0+").condition(KNOWN)).isEqualTo("true");
        assertThat(Versions.parse("3-9").condition(KNOWN)).isEqualTo("true");
        assertThat(Versions.parse("0-2").condition(KNOWN)).isEqualTo("false");
        assertThat(Versions.parse("5+").condition(KNOWN)).isEqualTo("version >= 5");
        assertThat(Versions.parse("0-5").condition(KNOWN)).isEqualTo("version <= 5");
        assertThat(Versions.parse("5").condition(KNOWN)).isEqualTo("version == 5");
        assertThat(Versions.parse("5-7").condition(KNOWN))
                .isEqualTo("version >= 5 && version <= 7");
    }

    @Test
    void intersectionOfStrangersIsEmpty() {
        assertThat(KNOWN.intersect(new Versions(10, 12))).isEqualTo(Versions.NONE);
        assertThat(KNOWN.intersect(new Versions(8, 12))).isEqualTo(new Versions(8, 9));
        assertThat(KNOWN.contains(Versions.NONE)).isTrue();
    }
}
