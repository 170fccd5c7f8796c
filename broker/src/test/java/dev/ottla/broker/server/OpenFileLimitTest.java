package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFileLimitTest {
    @Test
    void theSoftLimitIsRead() {
        String limits =
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             31                   32                   processes
                Max open files            1024                 524288               files
                """;

        assertThat(OpenFileLimit.parse(limits)).contains(1024);
        assertThat(OpenFileLimit.parse(limits.replace("1024     ", "unlimited"))).isEmpty();
        assertThat(OpenFileLimit.parse("")).isEmpty();
    }

    @Test
    void logsConnectionsAndTheBrokerItselfHaveRoomTogether() {
        for (int max = 256; max < 2_000_000; max = max * 5 / 4) {
            for (int shards = 1; shards <= 16; shards *= 2) {
                OpenFileLimit limit = new OpenFileLimit(max, shards);
                if (max >= 512 * shards) {
                    assertThat(limit.connections() + 2 * shards * limit.filesOfAShard() + 90)
                            .as("%s", limit)
                            .isLessThanOrEqualTo(max);
                }
                assertThat(limit.connections()).isPositive();
                assertThat(limit.filesOfAShard()).isBetween(8, 4096);
            }
        }
    }

    @Test
    void withoutALimitNothingIsKeptBack() {
        OpenFileLimit limit = new OpenFileLimit(Integer.MAX_VALUE, 4);

        assertThat(limit.connections()).isEqualTo(Integer.MAX_VALUE);
        assertThat(limit.filesOfAShard()).isEqualTo(4096);
    }
}
