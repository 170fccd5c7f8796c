package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ottla.wire.message.ApiKey;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Every request decoder, in every version, against cut, changed, random and lying bytes: nothing
/// but [WireException] comes out, and no more is allocated than the size of the input justifies.
final class HostileRequestTest {
    private static final long SEED = TestSeed.next("HostileRequestTest");
    private static final int ROUNDS = 60 * TestSeed.effort();

    /// Bytes on the heap for each byte of input. The worst are structures with many fields that may
    /// all be empty.
    private static final int MAX_GROWTH = 40;

    /// For exceptions and what the JVM does by the way.
    private static final int ALLOWANCE = 256 * 1024;

    private final RandomGenerator random = TestSeed.random(SEED);
    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void cutAndChangedRequestsAreReadOrRefused() throws Exception {
        for (ApiKey key : ApiKey.values()) {
            for (short v = key.oldestVersion(); v <= key.latestVersion(); v++) {
                RandomValues values = RandomRequests.values(key, random);
                for (int i = 0; i < ROUNDS; i++) {
                    ByteBuffer request = RandomRequests.next(values, v);
                    damage(request);
                    decode(key, v, request);
                }
            }
        }
    }

    @Test
    void randomBytesAreReadOrRefused() {
        for (ApiKey key : ApiKey.values()) {
            for (short v = key.oldestVersion(); v <= key.latestVersion(); v++) {
                for (int i = 0; i < ROUNDS; i++) {
                    byte[] bytes = new byte[random.nextInt(200)];
                    random.nextBytes(bytes);
                    decode(key, v, ByteBuffer.wrap(bytes));
                }
            }
        }
    }

    /// Zeros are the cheapest elements: empty strings, empty arrays, no tags. A large count
    /// somewhere in front of them makes the largest lists that the input can fill.
    @Test
    void largeCountsAllocateNoMoreThanTheInputJustifies() {
        ByteBuffer zeros = ByteBuffer.allocate(200_000);
        for (ApiKey key : ApiKey.values()) {
            for (short v = key.oldestVersion(); v <= key.latestVersion(); v++) {
                for (int position = 0; position < 24; position++) {
                    for (int count : new int[] {5_000, 60_000, 190_000, Integer.MAX_VALUE}) {
                        BufferWriter writer = new BufferWriter(zeros.position(position));
                        if (random.nextBoolean()) writer.writeInt(count);
                        else writer.writeUnsignedVarint(count);
                        decode(key, v, zeros.clear());
                        for (int i = position; i < position + 5; i++) zeros.put(i, (byte) 0);
                    }
                }
            }
        }
    }

    private void damage(ByteBuffer request) {
        int size = request.remaining();
        if (size == 0) return;
        switch (random.nextInt(4)) {
            case 0 -> request.limit(random.nextInt(size));
            case 1 -> request.put(random.nextInt(size), (byte) random.nextInt());
            case 2 -> request.put(random.nextInt(size), (byte) 0xff);
            default -> {
                if (size >= 4) request.putInt(random.nextInt(size - 3), random.nextInt());
            }
        }
    }

    private void decode(ApiKey key, short version, ByteBuffer request) {
        int size = request.remaining();
        long before = thread.getCurrentThreadAllocatedBytes();
        try {
            key.readRequest(new WireReader(request), version);
        } catch (WireException e) {
            assertThat(e).hasMessageStartingWith("malformed input at byte ");
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + SEED + ", " + key + " version " + version, e);
        }
        long allocated = thread.getCurrentThreadAllocatedBytes() - before;
        if (allocated > (long) MAX_GROWTH * size + ALLOWANCE) {
            throw new AssertionError(
                    "seed %d, %s version %d: %d bytes for a request of %d"
                            .formatted(SEED, key, version, allocated, size));
        }
    }
}
