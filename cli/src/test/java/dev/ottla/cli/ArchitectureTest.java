package dev.ottla.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.ottla.log.LogSlice;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
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
                    Map.entry("commandline", Set.of("config")),
                    Map.entry(
                            "cli",
                            Set.of(
                                    "broker",
                                    "commandline",
                                    "config",
                                    "metadata",
                                    "record",
                                    "wire")));

    /// Packages that hold protocol state machines: they get time and chance as values.
    private static final String[] CORES = {
        "dev.ottla.replication..",
        "dev.ottla.group..",
        "dev.ottla.metadata.controller..",
        "dev.ottla.metadata.image..",
        "dev.ottla.metadata.liveness.."
    };

    private static final DescribedPredicate<JavaClass> FILES =
            oneOf(
                    "a class that opens files",
                    "java.io.File",
                    "java.io.FileInputStream",
                    "java.io.FileOutputStream",
                    "java.io.FileReader",
                    "java.io.FileWriter",
                    "java.io.RandomAccessFile");

    private static final DescribedPredicate<JavaClass> CLOCKS_THREADS_AND_CHANCE =
            oneOf(
                    "a class that is a clock, makes threads or draws numbers by itself",
                    "java.time.Clock",
                    "java.util.Random",
                    "java.util.SplittableRandom",
                    "java.util.Timer",
                    "java.util.concurrent.Executors",
                    "java.util.concurrent.ForkJoinPool",
                    "java.util.concurrent.ScheduledThreadPoolExecutor",
                    "java.util.concurrent.ThreadLocalRandom",
                    "java.util.concurrent.ThreadPoolExecutor",
                    "java.util.random.RandomGeneratorFactory",
                    "java.security.SecureRandom");

    private static final Set<String> BANNED_OF_THREADS =
            Set.of("<init>", "ofPlatform", "ofVirtual", "startVirtualThread", "sleep");

    /// They wake up on a thread that belongs to nobody.
    private static final Set<String> NEEDS_A_TIMER =
            Set.of("orTimeout", "completeOnTimeout", "delayedExecutor");

    private static DescribedPredicate<JavaClass> oneOf(String description, String... names) {
        Set<String> all = Set.of(names);
        return DescribedPredicate.describe(description, type -> all.contains(type.getName()));
    }

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
                        "io.netty..",
                        "java.nio.channels..",
                        "java.net..",
                        "java.nio.file..",
                        "java.util.concurrent.locks..")
                .orShould()
                .dependOnClassesThat(FILES)
                .orShould()
                .dependOnClassesThat(CLOCKS_THREADS_AND_CHANCE)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class, Executor.class)
                .allowEmptyShould(true)
                .check(OTTLA);
    }

    /// Sendfile of a range that a shard looked up is left to Netty, which gets the open channel.
    @Test
    void networkLoopsNeverOpenReadOrSyncAFile() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.ottla.broker.network..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "dev.ottla.log.disk..")
                .orShould()
                .dependOnClassesThat(FILES)
                .orShould(use(FileChannel.class.getName(), _ -> true))
                .orShould(use(LogSlice.class.getName(), name -> name.startsWith("read")))
                .check(OTTLA);
    }

    /// Another engine can take its place.
    @Test
    void onlyTheRaftEngineSeesRatis() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.ottla.quorum.raft..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.ratis..")
                .check(OTTLA);
    }

    @Test
    void clocksThreadsAndChanceAreMadeInTheWiringOnly() {
        makeClocksThreadsOrChance("dev.ottla.broker.server..", "dev.ottla.cli..").check(OTTLA);
    }

    /// A ban that sees nothing would hold everywhere.
    @Test
    void theBanSeesWhatTheWiringMakes() {
        String seen =
                String.join(
                        "; ",
                        makeClocksThreadsOrChance()
                                .evaluate(OTTLA)
                                .getFailureReport()
                                .getDetails());

        assertThat(seen)
                .contains("System.nanoTime")
                .contains("InstantSource.system")
                .contains("Executors")
                .contains("SecureRandom");
    }

    private static ArchRule makeClocksThreadsOrChance(String... allowedIn) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(allowedIn)
                .should(use("java.lang.System", Set.of("nanoTime", "currentTimeMillis")::contains))
                .orShould(use("java.lang.Thread", BANNED_OF_THREADS::contains))
                .orShould(use("java.lang.Math", "random"::equals))
                .orShould(use("java.util.UUID", "randomUUID"::equals))
                .orShould(use("java.time.InstantSource", "system"::equals))
                .orShould(use(CompletableFuture.class.getName(), NEEDS_A_TIMER::contains))
                .orShould(readTheTimeOfDay())
                .orShould(goOnWithoutAnExecutor())
                .orShould()
                .dependOnClassesThat(CLOCKS_THREADS_AND_CHANCE);
    }

    /// Calls or names a method, or a constructor, of a class.
    private static ArchCondition<JavaClass> use(String owner, Predicate<String> method) {
        return access(
                "use certain methods of " + owner,
                target ->
                        target.getOwner().getName().equals(owner) && method.test(target.getName()));
    }

    private static ArchCondition<JavaClass> readTheTimeOfDay() {
        return access(
                "read the time of day",
                target ->
                        target.getOwner().getPackageName().equals("java.time")
                                && target.getName().equals("now"));
    }

    /// Such a step runs on a pool that belongs to nobody.
    private static ArchCondition<JavaClass> goOnWithoutAnExecutor() {
        return access(
                "complete a future on the common pool",
                target ->
                        target.getOwner().isAssignableTo(CompletionStage.class)
                                && target.getName().endsWith("Async")
                                && target.getRawParameterTypes().stream()
                                        .noneMatch(type -> type.isEquivalentTo(Executor.class)));
    }

    private static ArchCondition<JavaClass> access(
            String description, Predicate<AccessTarget.CodeUnitAccessTarget> banned) {
        return new ArchCondition<>(description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnitAccessesFromSelf().stream()
                        .filter(access -> banned.test(access.getTarget()))
                        .forEach(access ->
                                events.add(
                                        SimpleConditionEvent.satisfied(
                                                type, access.getDescription())));
            }
        };
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
