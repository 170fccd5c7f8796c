package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.ApiKey;
import java.util.Arrays;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

final class ApiKeyTest {
    @Test
    void everyApiWithAValidVersionIsThere() {
        assertThat(ApiKey.values())
                .extracting(ApiKey::name)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ApiKeys.values())
                                .filter(ApiKeys::hasValidVersion)
                                .map(ApiKeys::name)
                                .toList());
    }

    @Test
    void versionsListenersAndHeadersAreKafkas() {
        for (ApiKey ours : ApiKey.values()) {
            ApiKeys theirs = ApiKeys.forId(ours.id());
            ApiMessageType type = theirs.messageType;

            assertThat(ours.name()).isEqualTo(theirs.name());
            assertThat(ApiKey.forId(ours.id())).contains(ours);
            assertThat(ours.oldestVersion())
                    .as(ours.name())
                    .isEqualTo(type.lowestSupportedVersion());
            assertThat(ours.latestVersion(true)).isEqualTo(type.highestSupportedVersion(true));
            assertThat(ours.latestVersion(false)).isEqualTo(type.highestSupportedVersion(false));
            assertThat(ours.onBroker()).isEqualTo(theirs.inScope(ListenerType.BROKER));
            assertThat(ours.onController()).isEqualTo(theirs.inScope(ListenerType.CONTROLLER));
            for (short v = ours.oldestVersion(); v <= ours.latestVersion(); v++) {
                assertThat(ours.requestHeaderVersion(v)).isEqualTo(theirs.requestHeaderVersion(v));
                assertThat(ours.responseHeaderVersion(v))
                        .isEqualTo(theirs.responseHeaderVersion(v));
            }
        }
    }

    @Test
    void idsWithoutAnApiAreUnknown() {
        assertThat(ApiKey.forId(-1)).isEmpty();
        assertThat(ApiKey.forId(4)).isEmpty();
        assertThat(ApiKey.forId(Short.MAX_VALUE)).isEmpty();
    }
}
