package dev.ottla.record;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// A fuzz target with a bug, run by [FuzzingFindsPlantedBugTest] in a JVM of its own. Chance alone
/// does not find the bug: it takes a fuzzer that sees which comparisons our parser makes.
class PlantedBug {
    static final String MESSAGE = "planted bug found";
    private static final long PRODUCER_ID = 0x6f74_746c_6131_3233L;

    @FuzzTest(maxDuration = "120s")
    void wrongOnlyForOneProducer(byte[] input) {
        ByteBuffer records = ByteBuffer.wrap(input);
        BatchFuzzTest.makeFrameGood(records);
        if (RecordBatches.in(records).next() instanceof RecordBatches.Step.Batch(RecordBatch batch)
                && batch.producerId() == PRODUCER_ID) {
            throw new IllegalStateException(MESSAGE);
        }
    }

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(PlantedBug.class))
                                .build(),
                        listener);
        listener.getSummary()
                .getFailures()
                .forEach(failure -> System.out.println(failure.getException()));
    }
}
