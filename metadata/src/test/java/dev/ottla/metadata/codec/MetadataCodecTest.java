package dev.ottla.metadata.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.VersionRange;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MetadataCodecTest {
    private static final Uuid TOPIC = new Uuid(1, 2);

    private static final List<MetadataRecord> ONE_OF_EACH =
            List.of(
                    new MetadataRecord.ClusterId(new Uuid(3, 4)),
                    new MetadataRecord.RegisterBroker(
                            1,
                            new Uuid(5, 6),
                            17,
                            List.of(new BrokerEndpoint("PLAINTEXT", "::1", 65535, (short) 0)),
                            Map.of("group.version", VersionRange.of(0, 1)),
                            Optional.of("r1"),
                            true,
                            false,
                            List.of(new Uuid(7, 8)),
                            List.of(new Uuid(7, 8))),
                    new MetadataRecord.UnregisterBroker(1, 17),
                    MetadataRecord.BrokerChange.fenced(1, 17, true),
                    MetadataRecord.BrokerChange.fenced(1, 17, false),
                    new MetadataRecord.BrokerChange(
                            1,
                            17,
                            Optional.empty(),
                            true,
                            Optional.of(List.of()),
                            Optional.of(List.of())),
                    new MetadataRecord.FullDirectories(1, 17, List.of()),
                    new MetadataRecord.FullDirectories(
                            1, 17, List.of(new Uuid(7, 8), new Uuid(9, 10))),
                    new MetadataRecord.Topic("t", TOPIC),
                    new MetadataRecord.RemoveTopic(TOPIC),
                    new MetadataRecord.Partition(
                            TOPIC,
                            3,
                            BrokerIds.of(1, 2),
                            BrokerIds.of(2),
                            BrokerIds.of(1),
                            BrokerIds.of(2),
                            2,
                            true,
                            4,
                            5,
                            List.of(new Uuid(7, 8), new Uuid(9, 10)),
                            BrokerIds.of(1),
                            BrokerIds.of(2)),
                    new MetadataRecord.PartitionChange(
                            TOPIC,
                            3,
                            Optional.empty(),
                            OptionalInt.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    new MetadataRecord.PartitionChange(
                            TOPIC,
                            3,
                            Optional.of(BrokerIds.of(1)),
                            OptionalInt.of(-1),
                            Optional.of(BrokerIds.of(1, 3)),
                            Optional.of(BrokerIds.NONE),
                            Optional.of(BrokerIds.of(3)),
                            Optional.of(false),
                            Optional.of(List.of(new Uuid(7, 8), new Uuid(9, 10))),
                            Optional.of(BrokerIds.NONE),
                            Optional.of(BrokerIds.of(1))),
                    new MetadataRecord.ClearElr("t"),
                    new MetadataRecord.Config(ConfigResource.CLUSTER, "a", Optional.of("1")),
                    new MetadataRecord.Config(ConfigResource.topic("t"), "a", Optional.empty()),
                    new MetadataRecord.FeatureLevel("group.version", (short) 1),
                    new MetadataRecord.ProducerIds(1, 17, 2000),
                    new MetadataRecord.NoOp(),
                    new MetadataRecord.BeginTransaction("why"),
                    new MetadataRecord.EndTransaction(),
                    new MetadataRecord.AbortTransaction("because"));

    @Test
    void everyRecordSurvivesTheRoundTrip() {
        for (MetadataRecord record : ONE_OF_EACH) {
            ByteBuffer bytes = MetadataCodec.encode(record);

            assertThat(bytes.remaining()).isLessThanOrEqualTo(MetadataCodec.sizeBytes(record));
            assertThat(MetadataCodec.decode(bytes)).isEqualTo(record);
        }
    }

    @Test
    void recordsStandInKafkasFrame() {
        assertThat(hex(new MetadataRecord.FeatureLevel("group.version", (short) 1)))
                .isEqualTo("010c00" + "0e" + "67726f75702e76657273696f6e" + "0001" + "00");
        assertThat(hex(new MetadataRecord.Topic("t", TOPIC)))
                .isEqualTo("010200" + "0274" + "0000000000000001" + "0000000000000002" + "00");
        assertThat(hex(new MetadataRecord.NoOp())).isEqualTo("011400" + "00");
    }

    @Test
    void theClusterIdIsATaggedFieldThatToolsSkip() {
        assertThat(hex(new MetadataRecord.ClusterId(new Uuid(3, 4))))
                .isEqualTo("011400" + "01" + "904e" + "10" + "00000000000000030000000000000004");
    }

    @Test
    void anUnknownRecordIsRefusedByName() {
        assertThatThrownBy(() -> MetadataCodec.decode(bytes("01fe0100")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("unknown type 254");
        assertThatThrownBy(() -> MetadataCodec.decode(bytes("010209")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("unknown version");
        assertThatThrownBy(() -> MetadataCodec.decode(bytes("02")))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> MetadataCodec.decode(bytes("0114000000")))
                .isInstanceOf(WireException.class);
    }

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private static String hex(MetadataRecord record) {
        ByteBuffer value = MetadataCodec.encode(record);
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
