package dev.ottla.metadata.codec;

import dev.ottla.wire.UnknownTaggedField;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Ids in a tagged field of our own, in messages of which none has two such fields.
///
///     | tag 10000 uvarint | size uvarint | ids, 16 bytes each |
public final class TaggedUuids {
    private static final int TAG = 10_000;
    private static final int ID_BYTES = 16;

    private TaggedUuids() {}

    public static UnknownTaggedField write(List<Uuid> ids) {
        ByteBuffer data = ByteBuffer.allocate(ids.size() * ID_BYTES);
        for (Uuid id : ids) {
            data.putLong(id.mostSignificantBits()).putLong(id.leastSignificantBits());
        }
        return new UnknownTaggedField(TAG, data.flip());
    }

    /// Empty when the field is not there; fails with [WireException] when it is malformed.
    public static Optional<List<Uuid>> read(List<UnknownTaggedField> fields) {
        return fields.stream()
                .filter(field -> field.tag() == TAG)
                .findFirst()
                .map(field -> read(field.data()));
    }

    private static List<Uuid> read(ByteBuffer data) {
        if (data.remaining() % ID_BYTES != 0) {
            throw new WireException("a list of ids has %d bytes".formatted(data.remaining()));
        }
        WireReader reader = new WireReader(data);
        List<Uuid> ids = new ArrayList<>();
        for (int left = data.remaining(); left > 0; left -= ID_BYTES) ids.add(reader.readUuid());
        return ids;
    }
}
