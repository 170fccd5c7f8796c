package dev.ottla.broker.replica;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.shard.Timer;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives replicas another directory whose own is none of this broker's any more: its disk was
/// replaced or its content deleted. The controller, which refuses this for the last copy of a
/// partition, takes them out of the ISR first; then they are filled again from their leaders. Owned
/// by the shard's thread.
final class LostDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(LostDirectories.class);
    private static final long RETRY_MS = 1_000;
    private static final int MAX_BATCH = 1_000;

    private final PartitionManager partitions;
    private final DirectoryAssignments controller;
    private final Set<PartitionKey> waiting = new LinkedHashSet<>();
    private boolean underWay;
    private final Timer retry =
            new Timer() {
                @Override
                protected void onTimeout() {
                    send();
                }
            };

    LostDirectories(PartitionManager partitions, DirectoryAssignments controller) {
        this.partitions = partitions;
        this.controller = controller;
    }

    /// Whether the replica's directory is none of this broker's.
    boolean isLost(PartitionState state) {
        return !partitions.directories().contains(state.directoryOf(partitions.brokerId()));
    }

    void replace(PartitionKey key) {
        if (waiting.add(key)) {
            partitions.shard().execute(this::send); // With what else this turn finds.
        }
    }

    private void send() {
        if (underWay || retry.isScheduled() || waiting.isEmpty()) {
            return;
        }
        List<Uuid> directories = List.copyOf(partitions.directories());
        List<AssignDirectory> requests = new ArrayList<>();
        for (PartitionKey key :
                List.copyOf(waiting).subList(0, Math.min(MAX_BATCH, waiting.size()))) {
            waiting.remove(key);
            if (isStillLost(key)) {
                Uuid chosen = directories.get(Math.floorMod(key.hashCode(), directories.size()));
                requests.add(
                        new AssignDirectory(
                                new PartitionId(key.topicId(), key.partition()), chosen));
            }
        }
        if (requests.isEmpty()) {
            return;
        }
        underWay = true;
        LOG.warn(
                "{} replicas of this broker were in data directories that are not there any more: they are copied again from their leaders.",
                requests.size());
        var _ =
                controller
                        .assign(requests)
                        .whenComplete((errors, failure) ->
                                partitions
                                        .shard()
                                        .execute(() -> onAnswer(requests, errors, failure)));
    }

    private boolean isStillLost(PartitionKey key) {
        return partitions
                .image()
                .partition(key.topicId(), key.partition())
                .filter(partitions::isFollowed)
                .filter(this::isLost)
                .isPresent();
    }

    private void onAnswer(
            List<AssignDirectory> requests,
            @Nullable List<ApiError> errors,
            @Nullable Throwable failure) {
        underWay = false;
        if (errors == null) {
            LOG.info("Directories could not be assigned, this is tried again.", failure);
            for (AssignDirectory request : requests) {
                waiting.add(
                        new PartitionKey(
                                request.partition().topicId(), request.partition().partition()));
            }
            partitions.shard().scheduleMs(retry, RETRY_MS);
            return;
        }
        for (ApiError error : errors) {
            if (!error.isNone()) {
                LOG.warn("A replica gets no other directory: {}", error.message());
            }
        }
        send();
    }
}
