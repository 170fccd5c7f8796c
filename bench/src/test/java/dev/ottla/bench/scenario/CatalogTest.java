package dev.ottla.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.bench.report.TargetRow;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CatalogTest {
    @Test
    void namesAreUnique() {
        List<String> names = Catalog.all().stream().map(Scenario::name).toList();

        assertThat(names).doesNotHaveDuplicates().doesNotContain("all");
    }

    @Test
    void everyFamilyHasScenariosAndCanBeNamed() {
        for (Family family : Family.values()) {
            assertThat(Catalog.named(family.title())).isNotEmpty();
        }
        assertThat(Catalog.named("all")).hasSameSizeAs(Catalog.all());
        assertThat(Catalog.named("nothing")).isEmpty();
    }

    @Test
    void targetsNameScenariosThatExist() {
        List<String> names = Catalog.all().stream().map(Scenario::name).toList();

        assertThat(Targets.rows())
                .extracting(TargetRow::numerator)
                .allSatisfy(source -> assertThat(names).contains(source.scenario()));
    }

    @Test
    void limitsOfOpenFilesAreReadFromTheKernelsTable() {
        String limits =
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             92000                92000                processes
                Max open files            1024                 20000                files
                """;

        assertThat(SystemLimits.openFiles(limits)).isEqualTo(20_000);
    }
}
