package dev.ottla.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ottla.wire.message.ApiVersionsRequest;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// A target with a bug that only a fuzzer with feedback finds: a well-formed request that names a
/// certain client. It is no test, but started by [FuzzingWorksTest] in a process of its own.
final class PlantedBug {
    static final int FOUND = 42;

    @FuzzTest(maxDuration = "60s")
    void isFound(byte[] input) {
        ApiVersionsRequest request;
        try {
            request = ApiVersionsRequest.read(new WireReader(ByteBuffer.wrap(input)), (short) 5);
        } catch (WireException e) {
            return;
        }
        if (request.nodeId() == 7_100_100) throw new IllegalStateException("found");
    }

    /// Exits with [#FOUND] if the fuzzer found the bug.
    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(PlantedBug.class))
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
