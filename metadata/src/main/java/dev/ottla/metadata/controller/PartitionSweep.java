package dev.ottla.metadata.controller;

import dev.ottla.config.ConfigValues;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Applies one kind of change to partitions, with elections where they are needed, as the cluster
/// looks once the given image holds.
final class PartitionSweep {
    private final Context context;
    private final ClusterImage image;
    private final boolean elrEnabled;

    /// What to do with one partition before leaders are elected.
    interface Change {
        void apply(TopicView topic, PartitionState state, PartitionUpdate update);
    }

    PartitionSweep(Context context, ClusterImage image) {
        this.context = context;
        this.image = image;
        this.elrEnabled = image.featureLevel(Features.ELR_VERSION) > 0;
    }

    /// Changes of all partitions that have a replica on a broker.
    List<MetadataRecord> changesOn(int brokerId, Change change) {
        List<MetadataRecord> records = new ArrayList<>();
        for (TopicState topic : image.topics()) {
            Optional<TopicView> view = Optional.empty();
            for (int i = 0; i < topic.partitionCount(); i++) {
                PartitionState state = topic.partitions().get(i);
                if (!state.replicas().has(brokerId)) continue;
                if (view.isEmpty()) view = Optional.of(new TopicView(topic));
                PartitionUpdate update = view.get().update(i, state, false);
                change.apply(view.get(), state, update);
                update.build().ifPresent(records::add);
            }
        }
        return records;
    }

    TopicView view(TopicState topic) {
        return new TopicView(topic);
    }

    /// A topic with the settings that elections depend on.
    final class TopicView {
        private final TopicState topic;
        private final ConfigValues values;

        private TopicView(TopicState topic) {
            this.topic = topic;
            this.values = context.settings().topic(image, topic.name(), topic.replicationFactor());
        }

        TopicState topic() {
            return topic;
        }

        boolean isFsync() {
            return Settings.isFsync(values);
        }

        /// Whether the directory of that broker's replica is online.
        boolean isOnline(PartitionState state, int brokerId) {
            return image.broker(brokerId)
                    .map(broker -> broker.hasOnline(state.directoryOf(brokerId)))
                    .orElse(false);
        }

        /// @param unclean whether any replica may lead, whatever the topic says
        PartitionUpdate update(int partition, PartitionState state, boolean unclean) {
            return new PartitionUpdate(
                    topic.id(),
                    partition,
                    state,
                    new PartitionUpdate.ElectionRules(
                            this::canLead,
                            this::hasRoom,
                            factor -> Settings.minInsyncReplicas(values, factor),
                            elrEnabled,
                            unclean || Settings.uncleanElectionEnabled(values)));
        }

        private boolean hasRoom(int brokerId, Uuid directory) {
            return image.broker(brokerId).map(broker -> broker.hasRoom(directory)).orElse(true);
        }

        private boolean canLead(int brokerId, Uuid directory) {
            Optional<BrokerState> broker = image.broker(brokerId);
            return broker.isPresent()
                    && broker.get().isActive()
                    && broker.get().hasOnline(directory);
        }
    }
}
