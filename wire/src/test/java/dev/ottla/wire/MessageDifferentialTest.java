package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every definition in Kafka's jars, every version: the same bytes and the same values as Kafka's
/// own classes.
final class MessageDifferentialTest {
    private static final int ROUNDS = 20 * TestSeed.effort();

    private static final long SEED = TestSeed.next("MessageDifferentialTest");

    private final RandomGenerator random = TestSeed.random(SEED);

    @Test
    void everyDefinitionInTheJarsHasAClass() throws Exception {
        List<KafkaDefinitions.Entry> all = KafkaDefinitions.all();
        assertThat(all).hasSize(285);

        for (KafkaDefinitions.Entry entry : all) {
            if (!entry.isValid()) {
                assertThat(entry.name())
                        .matches(
                                "LeaderAndIsr.*|StopReplica.*|UpdateMetadata.*|ControlledShutdown.*");
                continue;
            }
            Message defaults = (Message) Ours.defaults(entry.ours());
            assertThat(defaults.lowestVersion()).isEqualTo(entry.lowest());
            assertThat(defaults.highestVersion()).isEqualTo(entry.highest());
        }
    }

    @Test
    void defaultsAreKafkas() throws Exception {
        for (KafkaDefinitions.Entry entry : valid()) {
            Object ours = Ours.defaults(entry.ours());
            Object theirs = Theirs.create(entry.theirs());
            assertThat(Theirs.same(ours, theirs)).as("%s: %s, %s", entry, ours, theirs).isTrue();
            for (Class<?> struct : entry.ours().getDeclaredClasses()) {
                if (!struct.isRecord()) continue;
                Object nested =
                        Theirs.create(Theirs.nested(entry.theirs(), struct.getSimpleName()));
                assertThat(Theirs.same(Ours.defaults(struct), nested)).as("%s", struct).isTrue();
            }
        }
    }

    @Test
    void fieldsLeftOutStandInNoVersion() throws Exception {
        for (KafkaDefinitions.Entry entry : valid()) {
            expectNoSchemaHasMore(entry.ours(), entry.theirs());
            for (Class<?> struct : entry.ours().getDeclaredClasses()) {
                if (!struct.isRecord()) continue;
                expectNoSchemaHasMore(
                        struct, Theirs.nested(entry.theirs(), struct.getSimpleName()));
            }
        }
    }

    @Test
    void bytesAndValuesAreKafkasInEveryVersion() throws Throwable {
        for (KafkaDefinitions.Entry entry : valid()) {
            Set<String> missed = fieldsOf(entry);
            // Chance rarely leaves a field out; then the message has another go.
            for (int go = 0; go < 100 && !missed.isEmpty(); go++) {
                Set<String> seen = new HashSet<>();
                for (short version = entry.lowest(); version <= entry.highest(); version++) {
                    compare(entry, version, seen);
                }
                missed.removeAll(seen);
            }
            assertThat(missed).as("fields that never left their default").isEmpty();
        }
    }

    /// Adds the fields to `seen` that left their default and came through.
    private void compare(KafkaDefinitions.Entry entry, short version, Set<String> seen)
            throws Throwable {
        RandomValues values = new RandomValues(random, entry.ours(), entry.theirs());
        int compared = 0;
        for (int attempt = 0; compared < ROUNDS; attempt++) {
            if (attempt > 100 * ROUNDS) fail("no value of %s fits version %d", entry, version);
            Message read = compare(entry, version, values);
            if (read == null) continue;
            compared++;
            Ours.addChanged(read, entry.ours(), seen);
        }
    }

    /// What came through, or null when this version cannot carry the value, which Kafka has to say
    /// too.
    private @Nullable Message compare(
            KafkaDefinitions.Entry entry, short version, RandomValues values) throws Throwable {
        Message ours = values.next();
        org.apache.kafka.common.protocol.Message theirs = Theirs.from(ours, entry.theirs());

        ByteBuffer expected = writeTheirs(theirs, version);
        ByteBuffer actual = writeOurs(ours, version, values);
        if (expected == null || actual == null) {
            assertThat(actual).as(() -> context(entry, version, ours)).isNull();
            assertThat(expected).as(() -> context(entry, version, ours)).isNull();
            return null;
        }
        assertThat(actual).as(() -> context(entry, version, ours)).isEqualTo(expected);

        WireReader reader = new WireReader(random.nextBoolean() ? expected : direct(expected));
        Message read = Ours.read(entry.ours(), reader, version);
        reader.expectEnd();
        org.apache.kafka.common.protocol.Message theirRead =
                Theirs.read(entry.theirs(), actual.duplicate(), version);
        assertThat(Theirs.same(read, theirRead))
                .as(() ->
                        context(entry, version, ours)
                                + " read as "
                                + read
                                + ", by Kafka "
                                + theirRead)
                .isTrue();
        assertThat(read.toBuffer(version)).isEqualTo(expected);
        return read;
    }

    private static @Nullable ByteBuffer writeOurs(
            Message ours, short version, RandomValues values) {
        try {
            return ours.toBuffer(version);
        } catch (UnsupportedVersionException e) {
            RandomRequests.ban(e, values);
        } catch (NullPointerException e) {
            values.banNulls();
        }
        return null;
    }

    private static @Nullable ByteBuffer writeTheirs(
            org.apache.kafka.common.protocol.Message theirs, short version) {
        try {
            return Theirs.write(theirs, version);
        } catch (org.apache.kafka.common.errors.UnsupportedVersionException
                | NullPointerException e) {
            return null;
        }
    }

    private String context(KafkaDefinitions.Entry entry, short version, Message message) {
        return "seed %d, %s version %d: %s".formatted(SEED, entry, version, message);
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    private static void expectNoSchemaHasMore(Class<?> ours, Class<?> theirs) throws Exception {
        Set<String> leftOut = new TreeSet<>(Theirs.setters(theirs).keySet());
        for (RecordComponent component : ours.getRecordComponents()) {
            leftOut.remove(component.getName());
        }
        if (leftOut.isEmpty()) return;
        for (Object schema : (Object[]) theirs.getField("SCHEMAS").get(null)) {
            if (schema == null) continue;
            for (BoundField field : ((Schema) schema).fields()) {
                String name = field.def.name.replace("_", "");
                assertThat(leftOut).as("%s", theirs).noneMatch(name::equalsIgnoreCase);
            }
        }
    }

    private static List<KafkaDefinitions.Entry> valid() {
        return KafkaDefinitions.all().stream().filter(KafkaDefinitions.Entry::isValid).toList();
    }

    private static Set<String> fieldsOf(KafkaDefinitions.Entry entry)
            throws ClassNotFoundException {
        Set<String> fields = new HashSet<>();
        String name = entry.name();
        for (RecordComponent component : entry.ours().getRecordComponents()) {
            fields.add(name + "." + component.getName());
        }
        for (Class<?> struct : entry.ours().getDeclaredClasses()) {
            if (!struct.isRecord()) continue;
            for (RecordComponent component : struct.getRecordComponents()) {
                fields.add(name + "." + struct.getSimpleName() + "." + component.getName());
            }
        }
        return fields;
    }
}
