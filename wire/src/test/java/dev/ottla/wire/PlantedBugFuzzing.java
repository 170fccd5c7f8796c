package dev.ottla.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Fuzzes [PlantedBug]. No test by itself: [FuzzingWorksTest] starts it in a process of its own.
final class PlantedBugFuzzing {
    static final int FOUND = 42;

    @FuzzTest(maxDuration = "120s")
    void bugIsFound(byte[] input) {
        PlantedBug.decode(input);
    }

    /// Exits with [#FOUND] if the fuzzer found the bug.
    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(PlantedBugFuzzing.class))
                        .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        listener.getSummary().printTo(new PrintWriter(System.out, true, UTF_8));
        boolean found =
                listener.getSummary().getFailures().stream()
                        .anyMatch(failure -> isPlanted(failure.getException()));
        System.exit(found ? FOUND : 1);
    }

    private static boolean isPlanted(Throwable failure) {
        return String.valueOf(failure).contains("found")
                || (failure.getCause() != null && isPlanted(failure.getCause()));
    }
}
