package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The active controller. A command reads the state and returns records and a reply; it changes
/// nothing. The caller appends the records to the metadata log and hands them to [#replay], so the
/// next command builds on them before they are committed. When leadership or an append is lost, the
/// object is dropped and the next one starts from what was committed.
///
/// Owned by the metadata thread.
public final class Controller {
    private final Context context;
    private final TopicCommands topics;
    private final ConfigCommands configs;
    private final BrokerCommands brokers;
    private final IsrCommands isr;
    private final ElectionCommands elections;
    private final ReassignmentCommands reassignments;
    private final UpkeepCommands upkeep;
    private final FeatureCommands features;
    private final DirectoryCommands directories;
    private final ProducerIdCommands producerIds;

    /// @param fileSettings broker settings of the controller's own file
    /// @param ids gives fresh random ids
    /// @param committed what the log adds up to
    /// @param nextOffset that the next record gets
    public Controller(
            Map<String, String> fileSettings,
            Machine machine,
            Supplier<Uuid> ids,
            ClusterImage committed,
            long nextOffset) {
        this.context = new Context(new Settings(fileSettings, machine), ids, committed, nextOffset);
        this.topics = new TopicCommands(context);
        this.configs = new ConfigCommands(context);
        this.brokers = new BrokerCommands(context);
        this.isr = new IsrCommands(context);
        this.elections = new ElectionCommands(context);
        this.reassignments = new ReassignmentCommands(context);
        this.upkeep = new UpkeepCommands(context);
        this.features = new FeatureCommands(context);
        this.directories = new DirectoryCommands(context);
        this.producerIds = new ProducerIdCommands(context);
    }

    /// The state with everything that was appended, committed or not.
    public ClusterImage image() {
        return context.image();
    }

    /// Takes over records that were appended.
    ///
    /// @param nextOffset that the next record gets
    public void replay(List<MetadataRecord> records, long nextOffset) {
        ImageDelta delta = new ImageDelta(context.image());
        delta.replayAll(records);
        // The version of a speculative image is never shown.
        context.advance(delta.apply(new ImageVersion(nextOffset - 1, 0)), nextOffset);
    }

    /// Takes the committed image for its own once nothing is outstanding: equal content, but shared
    /// with everyone else's.
    public void adopt(ClusterImage committed) {
        context.advance(committed, context.nextOffset());
    }

    /// Records that a new cluster begins with; none when there is one.
    public List<MetadataRecord> bootstrap(Uuid newClusterId) {
        if (context.image().clusterId().isPresent()) return List.of();
        List<MetadataRecord> records = new ArrayList<>();
        records.add(
                new MetadataRecord.FeatureLevel(
                        Features.METADATA_VERSION, Features.METADATA_4_4_IV2));
        records.add(new MetadataRecord.ClusterId(newClusterId));
        Features.ofNewCluster()
                .forEach((name, level) -> {
                    if (!name.equals(Features.METADATA_VERSION)) {
                        records.add(new MetadataRecord.FeatureLevel(name, level));
                    }
                });
        return records;
    }

    /// Creates each topic or says why not.
    public Outcome<List<CreatedTopic>> createTopics(
            List<CreateTopic> topicsToCreate, boolean validateOnly) {
        return topics.create(topicsToCreate, validateOnly);
    }

    /// Deletes topics named by name or by id; results in that order.
    public Outcome<List<TopicResult>> deleteTopics(List<String> names, List<Uuid> ids) {
        return topics.delete(names, ids);
    }

    public Outcome<List<TopicResult>> createPartitions(
            List<CreatePartitions> requests, boolean validateOnly) {
        return topics.createPartitions(requests, validateOnly);
    }

    /// Takes steps from the present configurations (IncrementalAlterConfigs).
    public Outcome<List<ConfigResult>> alterConfigs(
            List<AlterConfigs> changes, boolean validateOnly) {
        return configs.alter(changes, validateOnly);
    }

    /// Replaces whole configurations (the older AlterConfigs).
    public Outcome<List<ConfigResult>> replaceConfigs(
            List<ReplaceConfigs> changes, boolean validateOnly) {
        return configs.replace(changes, validateOnly);
    }

    public Outcome<RegisteredBroker> registerBroker(RegisterBroker request) {
        return brokers.register(request);
    }

    /// Where other nodes find a broker, which learns of it only when they come.
    public Outcome<ApiError> changeEndpoints(
            int brokerId, long brokerEpoch, List<BrokerEndpoint> endpoints) {
        return brokers.changeEndpoints(brokerId, brokerEpoch, endpoints);
    }

    public Outcome<ApiError> unfenceBroker(int brokerId, long brokerEpoch) {
        return brokers.unfence(brokerId, brokerEpoch);
    }

    public Outcome<ApiError> fenceBroker(int brokerId, long brokerEpoch) {
        return brokers.fence(brokerId, brokerEpoch);
    }

    public Outcome<ApiError> beginControlledShutdown(int brokerId, long brokerEpoch) {
        return brokers.beginControlledShutdown(brokerId, brokerEpoch);
    }

    public Outcome<ApiError> unregisterBroker(int brokerId) {
        return brokers.unregister(brokerId);
    }

    /// The broker says which of its directories are online.
    public Outcome<ApiError> onlineDirectories(
            int brokerId, long brokerEpoch, List<Uuid> directories) {
        return brokers.directories(brokerId, brokerEpoch, directories);
    }

    /// The broker, which leads these partitions, says which replicas are in sync; answers in the
    /// order of `changes`.
    public Outcome<BrokerReply<AlteredPartition>> alterPartitions(
            int brokerId, long brokerEpoch, List<AlterPartition> changes) {
        return isr.alter(brokerId, brokerEpoch, changes);
    }

    /// The broker says which of its directories get no new replicas.
    public Outcome<ApiError> cordonDirectories(
            int brokerId, long brokerEpoch, List<Uuid> directories) {
        return brokers.cordon(brokerId, brokerEpoch, directories);
    }

    /// The broker says which of its directories have no room for records.
    public Outcome<ApiError> fullDirectories(
            int brokerId, long brokerEpoch, List<Uuid> directories) {
        return brokers.full(brokerId, brokerEpoch, directories);
    }

    /// Elects leaders of these partitions, in whose order it answers; of all partitions when there
    /// is no list, and then it answers only for those that needed an election.
    public Outcome<List<ElectedPartition>> electLeaders(
            Election election, Optional<List<NamedPartition>> partitions) {
        return partitions.isPresent()
                ? elections.elect(election, partitions.get())
                : elections.electAll(election);
    }

    /// Sends partitions to other replicas, or ends what is going on; answers in the order of
    /// `requests`.
    ///
    /// @param factorMayChange whether a partition may get another number of replicas than it had
    public Outcome<List<ReassignedPartition>> reassign(
            List<ReassignPartition> requests, boolean factorMayChange) {
        return reassignments.alter(requests, factorMayChange);
    }

    /// Gives leaderships back to preferred replicas, where the settings allow it; answers how many.
    ///
    /// @param most that move at once
    public Outcome<Integer> electPreferred(int most) {
        return upkeep.electPreferred(most);
    }

    /// Does what became possible without anybody asking: completes reassignments, elects leaders,
    /// raises internal topics to the replicas that the cluster allows. Answers how many partitions
    /// changed.
    public Outcome<Integer> settle() {
        return upkeep.settle();
    }

    /// Sets levels of features, all or none of them.
    public Outcome<ApiError> updateFeatures(List<UpdateFeature> updates, boolean validateOnly) {
        return features.update(updates, validateOnly);
    }

    /// Takes the next block of producer ids for a broker.
    public Outcome<ProducerIdBlock> allocateProducerIds(int brokerId, long brokerEpoch) {
        return producerIds.allocate(brokerId, brokerEpoch);
    }

    /// The broker says in which of its directories it holds its replicas; answers in the order of
    /// `assignments`.
    public Outcome<BrokerReply<ApiError>> assignDirectories(
            int brokerId, long brokerEpoch, List<AssignDirectory> assignments) {
        return directories.assign(brokerId, brokerEpoch, assignments);
    }
}
