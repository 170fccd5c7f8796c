package dev.ottla.record;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Fuzzes [PlantedBug]. No test by itself: [FuzzingFindsPlantedBugTest] runs it in a JVM of its
/// own.
class PlantedBugFuzzing {
    @FuzzTest(maxDuration = "120s")
    void bugIsFound(byte[] input) {
        PlantedBug.check(input);
    }

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(PlantedBugFuzzing.class))
                                .build(),
                        listener);
        listener.getSummary()
                .getFailures()
                .forEach(failure -> System.out.println(failure.getException()));
    }
}
