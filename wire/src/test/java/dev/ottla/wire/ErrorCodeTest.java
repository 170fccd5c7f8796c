package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

final class ErrorCodeTest {
    @Test
    void codesNamesAndRetriabilityAreKafkas() {
        assertThat(ErrorCode.values()).hasSameSizeAs(Errors.values());
        for (Errors theirs : Errors.values()) {
            ErrorCode ours = ErrorCode.forCode(theirs.code()).orElseThrow();
            assertThat(ours.code()).isEqualTo(theirs.code());
            assertThat(ours.name()).isEqualTo(theirs.name());
            assertThat(ours.retriable())
                    .as(ours.name())
                    .isEqualTo(theirs.exception() instanceof RetriableException);
        }
    }

    @Test
    void messagesAreOurOwnSentences() {
        for (ErrorCode ours : ErrorCode.values()) {
            assertThat(ours.message()).endsWith(".");
            assertThat(ours.message()).isNotEqualTo(Errors.forCode(ours.code()).message());
        }
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::message))
                .doesNotHaveDuplicates();
    }

    @Test
    void unknownCodesHaveNoName() {
        assertThat(ErrorCode.forCode(-2)).isEmpty();
        assertThat(ErrorCode.forCode(ErrorCode.values().length)).isEmpty();
    }
}
