package dev.ottla.metadata.image;

import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Turns an image into the records that make it, lazily.
final class ImageRecords {
    private ImageRecords() {}

    static Stream<MetadataRecord> of(ClusterImage image) {
        return Stream.of(features(image), cluster(image), configs(image), topics(image))
                .flatMap(part -> part);
    }

    /// `metadata.version` first: it says how the rest is to be read.
    private static Stream<MetadataRecord> features(ClusterImage image) {
        List<MetadataRecord> records = new ArrayList<>();
        image.features()
                .forEach((name, level) -> {
                    var record = new MetadataRecord.FeatureLevel(name, level);
                    if (name.equals(Features.METADATA_VERSION)) {
                        records.addFirst(record);
                    } else {
                        records.add(record);
                    }
                });
        return records.stream();
    }

    private static Stream<MetadataRecord> cluster(ClusterImage image) {
        List<MetadataRecord> records = new ArrayList<>();
        image.clusterId().ifPresent(id -> records.add(new MetadataRecord.ClusterId(id)));
        for (BrokerState broker : image.brokers().values()) records.addAll(broker.toRecords());
        if (image.nextProducerId() > 0) {
            records.add(new MetadataRecord.ProducerIds(-1, -1, image.nextProducerId()));
        }
        return records.stream();
    }

    private static Stream<MetadataRecord> configs(ClusterImage image) {
        return image.configs.entrySet().stream()
                .flatMap(resource ->
                        resource.getValue().entrySet().stream()
                                .map((Map.Entry<String, String> e) ->
                                        new MetadataRecord.Config(
                                                resource.getKey(),
                                                e.getKey(),
                                                Optional.of(e.getValue()))));
    }

    private static Stream<MetadataRecord> topics(ClusterImage image) {
        return image.topics().stream()
                .flatMap(topic ->
                        Stream.concat(
                                Stream.of(new MetadataRecord.Topic(topic.name(), topic.id())),
                                IntStream.range(0, topic.partitionCount())
                                        .mapToObj(i ->
                                                topic.partitions()
                                                        .get(i)
                                                        .toRecord(topic.id(), i))));
    }
}
