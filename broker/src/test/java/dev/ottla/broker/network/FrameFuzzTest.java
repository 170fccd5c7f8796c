package dev.ottla.broker.network;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// The frame decoder against streams made by Jazzer; see the pom for how it is run.
final class FrameFuzzTest {
    @FuzzTest(maxDuration = "20s")
    void anyStreamIsCutAsItSays(byte[] input) {
        FrameStream.check(input);
    }
}
