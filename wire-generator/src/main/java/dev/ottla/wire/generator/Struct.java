package dev.ottla.wire.generator;

import java.util.Comparator;
import java.util.List;

/// A message or a structure inside one. `versions` are those in which it can occur, `flexible`
/// those of the message that are flexible.
record Struct(String name, Versions versions, Versions flexible, List<Field> fields) {

    static Struct named(String name, List<Struct> structs) {
        for (Struct struct : structs) {
            if (struct.name.equals(name)) return struct;
        }
        throw new IllegalArgumentException("structure " + name + " is used but not defined");
    }

    boolean keepsUnknownTaggedFields() {
        return !flexible.intersect(versions).isEmpty();
    }

    List<Field> taggedFields() {
        return fields.stream()
                .filter(Field::isTagged)
                .sorted(Comparator.comparingInt((Field field) -> field.tag().orElseThrow()))
                .toList();
    }

    int minSizeBytes(int version, List<Struct> structs) {
        int size = flexible.contains(version) ? 1 : 0;
        for (Field field : fields) size += field.minSizeBytes(version, structs);
        return size;
    }

    /// The smallest element of an array of these in any version; never 0, so that an array is
    /// bounded by its input.
    int minSizeBytes(List<Struct> structs) {
        int smallest = Integer.MAX_VALUE;
        for (int version = versions.lowest(); version <= versions.highest(); version++) {
            smallest = Math.min(smallest, minSizeBytes(version, structs));
        }
        return Math.max(1, smallest);
    }
}
