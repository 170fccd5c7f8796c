package dev.ottla.wire.generator;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// One definition file. `group` says which of Kafka's modules it came from; `structs` are all
/// structures in the message apart from the message itself, in order of appearance.
record Definition(
        String group,
        Kind kind,
        OptionalInt apiKey,
        Set<String> listeners,
        boolean latestVersionUnstable,
        Struct message,
        List<Struct> structs) {

    enum Kind {
        REQUEST,
        RESPONSE,
        HEADER,
        DATA,
        METADATA,
        COORDINATOR_KEY,
        COORDINATOR_VALUE
    }

    String name() {
        return message.name();
    }

    /// Whether this is the message itself; no structure inside has its name.
    boolean isMessage(Struct struct) {
        return struct.name().equals(name());
    }

    Struct struct(String name) {
        return Struct.named(name, structs);
    }
}
