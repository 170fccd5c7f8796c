package dev.ottla.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Every request decoder against bytes made by Jazzer; see the pom for how it is run.
final class RequestFuzzTest {
    @FuzzTest(maxDuration = "8s")
    void anyBytesAreReadOrRefused(byte[] input) {
        FuzzInput.parse(input).ifPresent(FuzzInput::decode);
    }
}
