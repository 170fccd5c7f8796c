package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AcceptFailuresTest {
    @Test
    void aFailureEndsWithUsInsteadOfAtTheEndOfThePipeline() {
        EmbeddedChannel listener = new EmbeddedChannel(new AcceptFailures("PLAIN"));

        listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));

        assertThatCode(listener::checkException).doesNotThrowAnyException();
        var _ = listener.close();
    }
}
