package dev.ottla.metadata.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ImageDeltaTest {
    private static final Uuid T = new Uuid(1, 1);
    private static final Uuid U = new Uuid(1, 2);

    @Test
    void aDeltaTellsWhatChanged() {
        ClusterImage before = image(topic("t", T, 3), topic("u", U, 1));
        ImageDelta delta = new ImageDelta(before);
        delta.replay(leader(T, 1, 7));
        delta.replay(new MetadataRecord.RemoveTopic(U));
        delta.replay(config(ConfigResource.topic("t"), "a", "1"));
        ClusterImage after = delta.apply(new ImageVersion(9, 1));

        assertThat(delta.changedTopics()).containsOnlyKeys(T);
        assertThat(changes(delta).isCreated()).isFalse();
        assertThat(changes(delta).changedPartitions()).containsOnlyKeys(1);
        assertThat(delta.deletedTopics()).containsOnlyKeys(U);
        assertThat(delta.changedConfigs()).containsExactly(ConfigResource.topic("t"));
        assertThat(after.partition("t", 1).orElseThrow().leader()).isEqualTo(7);
        assertThat(after.partitionCount()).isEqualTo(3);
        assertThat(before.partition("t", 1).orElseThrow().leader()).isEqualTo(1);
        assertThat(before.partitionCount()).isEqualTo(4);
    }

    @Test
    void namingALeaderRaisesItsEpochAndEveryChangeThePartitions() {
        ImageDelta delta = new ImageDelta(image(topic("t", T, 1)));
        delta.replay(leader(T, 0, 1));
        delta.replay(isr(T, 0, 1));
        PartitionState state = delta.apply(ImageVersion.NONE).partition("t", 0).orElseThrow();

        assertThat(state.leaderEpoch()).isEqualTo(1);
        assertThat(state.partitionEpoch()).isEqualTo(2);
    }

    @Test
    void aTopicThatComesAndGoesInOneDeltaLeavesNothing() {
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        delta.replayAll(topic("t", T, 2));
        delta.replay(config(ConfigResource.topic("t"), "a", "1"));
        delta.replay(new MetadataRecord.RemoveTopic(T));
        ClusterImage after = delta.apply(ImageVersion.NONE);

        assertThat(delta.changedTopics()).isEmpty();
        assertThat(delta.deletedTopics()).isEmpty();
        assertThat(after.sameContent(ClusterImage.EMPTY)).isTrue();
    }

    @Test
    void aNameCanBeUsedAgainInOneDelta() {
        ImageDelta delta = new ImageDelta(image(topic("a.t", T, 2)));
        delta.replay(new MetadataRecord.RemoveTopic(T));
        delta.replayAll(topic("a_t", U, 1));
        ClusterImage after = delta.apply(ImageVersion.NONE);

        assertThat(after.topic("a.t")).isEmpty();
        assertThat(after.topic("a_t").orElseThrow().id()).isEqualTo(U);
        assertThat(after.collidingTopic("a.t")).contains("a_t");
        assertThat(after.partitionCount()).isEqualTo(1);
    }

    @Test
    void recordsThatDoNotFitAreABug() {
        ClusterImage image = image(topic("t", T, 1));
        List<MetadataRecord> wrong =
                List.of(
                        new MetadataRecord.RemoveTopic(U),
                        new MetadataRecord.Topic("t", T),
                        leader(T, 5, 1),
                        leader(U, 0, 1),
                        MetadataRecord.BrokerChange.fenced(1, 1, true),
                        partition(T, 3),
                        new MetadataRecord.EndTransaction());
        for (MetadataRecord record : wrong) {
            assertThatThrownBy(() -> new ImageDelta(image).replay(record))
                    .as(record.toString())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void oldImagesStayAsTheyWere() {
        List<ClusterImage> images = new ArrayList<>();
        ClusterImage image = image(topic("t", T, 200));
        for (int i = 0; i < 200; i++) {
            images.add(image);
            ImageDelta delta = new ImageDelta(image);
            delta.replay(leader(T, i, 1000 + i));
            image = delta.apply(new ImageVersion(i, 1));
        }
        images.add(image);

        for (int i = 0; i <= 200; i++) {
            for (int p = 0; p < 200; p++) {
                assertThat(images.get(i).partition("t", p).orElseThrow().leader())
                        .isEqualTo(p < i ? 1000 + p : 1);
            }
        }
    }

    @Test
    void partitionsGrowAcrossChunks() {
        ClusterImage image = image(topic("t", T, 63));
        for (int count = 63; count < 200; count += 3) {
            ImageDelta delta = new ImageDelta(image);
            for (int i = 0; i < 3; i++) delta.replay(partition(T, count + i));
            image = delta.apply(ImageVersion.NONE);
            assertThat(image.topic("t").orElseThrow().partitionCount()).isEqualTo(count + 3);
            assertThat(image.partition("t", count + 2)).isPresent();
            assertThat(image.partition("t", count + 3)).isEmpty();
        }
        assertThat(image.topic("t").orElseThrow().partitions()).doesNotContainNull();
    }

    @Test
    void equalListsAreSharedBetweenPartitions() {
        TopicState topic = image(topic("t", T, 2)).topic("t").orElseThrow();

        assertThat(topic.partitions().get(0).replicas())
                .isSameAs(topic.partitions().get(1).replicas());
        assertThat(topic.partitions().get(0).isr()).isSameAs(topic.partitions().get(1).replicas());
        assertThat(topic.partitions().get(0).directories())
                .isSameAs(topic.partitions().get(1).directories());
    }

    @Test
    void theDifferenceOfImagesSaysTheSameAsReplaying() {
        ClusterImage before = image(topic("t", T, 3), topic("u", U, 1));
        ImageDelta replayed = new ImageDelta(before);
        replayed.replay(leader(T, 1, 7));
        replayed.replay(new MetadataRecord.RemoveTopic(U));
        replayed.replay(new MetadataRecord.FeatureLevel("f", (short) 2));
        ClusterImage after = replayed.apply(new ImageVersion(9, 1));

        ImageDelta difference = ImageDelta.between(before, after);

        assertThat(difference.changedTopics().keySet())
                .isEqualTo(replayed.changedTopics().keySet());
        assertThat(changes(difference).changedPartitions())
                .isEqualTo(changes(replayed).changedPartitions());
        assertThat(difference.deletedTopics().keySet())
                .isEqualTo(replayed.deletedTopics().keySet());
        assertThat(difference.featuresChanged()).isTrue();
        assertThat(difference.apply(after.version()).sameContent(after)).isTrue();
    }

    @Test
    void aSettingIsRemovedWithItsLastValue() {
        ConfigResource group = ConfigResource.group("g");
        ImageDelta set = new ImageDelta(ClusterImage.EMPTY);
        set.replay(config(group, "a", "1"));
        ClusterImage image = set.apply(ImageVersion.NONE);
        assertThat(image.config(group)).isEqualTo(Map.of("a", "1"));

        ImageDelta removed = new ImageDelta(image);
        removed.replay(new MetadataRecord.Config(group, "a", Optional.empty()));
        assertThat(removed.apply(ImageVersion.NONE).configuredResources()).isEmpty();
    }

    private static TopicDelta changes(ImageDelta delta) {
        return Optional.ofNullable(delta.changedTopics().get(T)).orElseThrow();
    }

    @SafeVarargs
    private static ClusterImage image(List<MetadataRecord>... records) {
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        for (List<MetadataRecord> some : records) delta.replayAll(some);
        return delta.apply(new ImageVersion(1, 1));
    }

    private static List<MetadataRecord> topic(String name, Uuid id, int partitions) {
        List<MetadataRecord> records = new ArrayList<>();
        records.add(new MetadataRecord.Topic(name, id));
        for (int i = 0; i < partitions; i++) records.add(partition(id, i));
        return records;
    }

    private static MetadataRecord partition(Uuid topic, int number) {
        return new MetadataRecord.Partition(
                topic,
                number,
                BrokerIds.of(1, 2),
                BrokerIds.of(1, 2),
                BrokerIds.NONE,
                BrokerIds.NONE,
                1,
                false,
                0,
                0,
                List.of(new Uuid(7, 7), new Uuid(8, 8)),
                BrokerIds.NONE,
                BrokerIds.NONE);
    }

    private static MetadataRecord config(ConfigResource resource, String key, String value) {
        return new MetadataRecord.Config(resource, key, Optional.of(value));
    }

    private static MetadataRecord leader(Uuid topic, int number, int leader) {
        return change(topic, number, Optional.empty(), OptionalInt.of(leader));
    }

    private static MetadataRecord isr(Uuid topic, int number, int... isr) {
        return change(topic, number, Optional.of(BrokerIds.of(isr)), OptionalInt.empty());
    }

    private static MetadataRecord change(
            Uuid topic, int number, Optional<BrokerIds> isr, OptionalInt leader) {
        return new MetadataRecord.PartitionChange(
                topic,
                number,
                isr,
                leader,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
