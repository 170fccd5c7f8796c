package dev.ottla.record;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The validator against records made by Jazzer; see the pom for how it is run.
class BatchFuzzTest {
    @MethodSource("dev.ottla.record.BatchFuzz#goodBatches")
    @FuzzTest(maxDuration = "8s")
    void whatIsAcceptedCanBeRead(byte[] input) {
        BatchFuzz.check(input);
    }
}
