package dev.ottla.wire;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.random.RandomGenerator;

/// A 128 bit id as Kafka uses it for topics, directories, members and clusters. Its text form is
/// the 22 characters of unpadded URL-safe base64.
public record Uuid(long mostSignificantBits, long leastSignificantBits)
        implements Comparable<Uuid> {
    /// "No id"; in a directory assignment: the directory is not assigned yet.
    public static final Uuid ZERO = new Uuid(0, 0);

    /// The topic id of `__cluster_metadata`; as a directory id it is reserved.
    public static final Uuid ONE = new Uuid(0, 1);

    /// So many of the lowest ids are reserved.
    private static final long RESERVED_COUNT = 100;

    /// A fresh id (version 4) that is not reserved and does not start with a dash, which tools take
    /// for an option.
    public static Uuid random(RandomGenerator random) {
        while (true) {
            long high = (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
            long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
            Uuid uuid = new Uuid(high, low);
            if (!uuid.isReserved() && !uuid.toString().startsWith("-")) return uuid;
        }
    }

    /// Reads the text form; fails with `IllegalArgumentException` on anything else.
    public static Uuid parse(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an id in URL-safe base64", e);
        }
        if (bytes.length != 16) {
            throw new IllegalArgumentException(
                    "'" + text + "' holds " + bytes.length + " bytes, an id has 16");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Uuid(buffer.getLong(), buffer.getLong());
    }

    public boolean isZero() {
        return mostSignificantBits == 0 && leastSignificantBits == 0;
    }

    /// Whether Kafka keeps this id for special meanings (as a directory id: unassigned, lost,
    /// migrating).
    public boolean isReserved() {
        return mostSignificantBits == 0
                && leastSignificantBits >= 0
                && leastSignificantBits < RESERVED_COUNT;
    }

    /// Signed order of the high, then the low half: the order of Kafka's own class.
    @Override
    public int compareTo(Uuid other) {
        int high = Long.compare(mostSignificantBits, other.mostSignificantBits);
        return high != 0 ? high : Long.compare(leastSignificantBits, other.leastSignificantBits);
    }

    @Override
    public String toString() {
        ByteBuffer bytes =
                ByteBuffer.allocate(16)
                        .putLong(0, mostSignificantBits)
                        .putLong(8, leastSignificantBits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }
}
