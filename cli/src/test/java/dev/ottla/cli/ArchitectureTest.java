package dev.ottla.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// Holds the module arrows, the absence of package cycles and the bans of the style guide.
final class ArchitectureTest {
    private static final String ROOT = "dev.ottla.";
    private static final JavaClasses OTTLA =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    // Generated messages are thousands of classes that follow one template.
                    .withImportOption(location -> !location.contains("/wire/message/"))
                    .importPackages("dev.ottla");

    /// Module to the modules it may use. What is not listed here must not exist.
    private static final Map<String, Set<String>> MAY_USE =
            Map.ofEntries(
                    Map.entry("wire", Set.of()),
                    Map.entry("config", Set.of()),
                    Map.entry("record", Set.of("wire")),
                    Map.entry("log", Set.of("record", "wire")),
                    Map.entry("metadata", Set.of("wire", "config")),
                    Map.entry("quorum", Set.of("metadata", "log", "record", "wire", "config")),
                    Map.entry("replication", Set.of("record", "wire")),
                    Map.entry("group", Set.of("record", "wire", "config")),
                    Map.entry(
                            "broker",
                            Set.of(
                                    "wire",
                                    "record",
                                    "config",
                                    "log",
                                    "metadata",
                                    "quorum",
                                    "replication",
                                    "group")),
                    Map.entry("cli", Set.of("broker", "config", "record", "wire")));

    /// Packages that hold protocol state machines: they get time and chance as values.
    private static final String[] CORES = {
        "dev.ottla.replication..",
        "dev.ottla.group..",
        "dev.ottla.metadata.controller..",
        "dev.ottla.metadata.image.."
    };

    @Test
    void modulesUseOnlyWhatTheHousePlanAllows() {
        MAY_USE.forEach((module, allowed) -> {
            DescribedPredicate<JavaClass> forbidden =
                    DescribedPredicate.describe(
                            "in a module that " + module + " may not use",
                            target -> {
                                String used = moduleOf(target.getPackageName());
                                return !used.isEmpty()
                                        && !used.equals(module)
                                        && !allowed.contains(used);
                            });

            noClasses()
                    .that()
                    .resideInAPackage(ROOT + module + "..")
                    .should()
                    .dependOnClassesThat(forbidden)
                    .allowEmptyShould(true)
                    .check(OTTLA);
        });
    }

    @Test
    void everyModuleOnTheClassPathHasARow() {
        Set<String> modules = new TreeSet<>();
        for (JavaClass type : OTTLA) modules.add(moduleOf(type.getPackageName()));
        modules.remove("");

        assertThat(MAY_USE.keySet()).containsAll(modules);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.ottla.(**)").should().beFreeOfCycles().check(OTTLA);
    }

    @Test
    void everyPackageExplainsItselfAndIsNullMarked() {
        ArchCondition<JavaClass> livesInMarkedPackage =
                new ArchCondition<>("live in a package with a @NullMarked package-info") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                        if (!marked) {
                            events.add(
                                    SimpleConditionEvent.violated(
                                            type, type.getPackageName() + " has no such file"));
                        }
                    }
                };

        classes().that().resideInAPackage("dev.ottla..").should(livesInMarkedPackage).check(OTTLA);
    }

    @Test
    void coresTouchNoThreadFileSocketClockOrChance() {
        noClasses()
                .that()
                .resideInAnyPackage(CORES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty..", "java.nio.channels..", "java.net..", "java.nio.file..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class, Random.class, Executors.class)
                .allowEmptyShould(true)
                .check(OTTLA);
    }

    @Test
    void clocksAndSleepAreReadInTheWiringOnly() {
        List<String[]> banned =
                List.of(
                        new String[] {"java.lang.System", "nanoTime"},
                        new String[] {"java.lang.System", "currentTimeMillis"},
                        new String[] {"java.lang.Thread", "sleep"});
        for (String[] call : banned) {
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.ottla.broker.server..", "dev.ottla.cli..")
                    .should(
                            new ArchCondition<JavaClass>("call " + call[0] + "." + call[1]) {
                                @Override
                                public void check(JavaClass type, ConditionEvents events) {
                                    type.getMethodCallsFromSelf().stream()
                                            .filter(c ->
                                                    c.getTargetOwner().getName().equals(call[0])
                                                            && c.getName().equals(call[1]))
                                            .forEach(c ->
                                                    events.add(
                                                            SimpleConditionEvent.satisfied(
                                                                    type, c.getDescription())));
                                }
                            })
                    .check(OTTLA);
        }
    }

    @Test
    void threadsAreMadeInTheWiringOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.ottla.broker.server..", "dev.ottla.cli..")
                .should()
                .callConstructor(Thread.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Executors.class)
                .check(OTTLA);
    }

    @Test
    void generatedMessagesStayBelowTheHandlersAndTheCodecs() {
        noClasses()
                .that()
                .resideInAnyPackage(CORES)
                .and()
                .haveSimpleNameNotEndingWith("Codec")
                .and()
                .haveSimpleNameNotContaining("Codec")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.ottla.wire.message..")
                .allowEmptyShould(true)
                .check(OTTLA);
    }

    private static String moduleOf(String packageName) {
        if (!packageName.startsWith(ROOT)) return "";
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
