package dev.ottla.broker.replica;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.shard.Timer;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes care of replicas that are not here any more, or are of no use.
///
/// | the replica | what the controller is asked for |
/// |---|---|
/// | its directory is none of this broker's: its disk was replaced or its content deleted | another directory; it leaves the ISR, and is filled again from its leader |
/// | its log is damaged, and there is another copy | to note that it is lost; it leaves the ISR at once, and another one leads if it did |
/// | it is noted as lost | as in the first row, after what is here was put away |
///
/// The controller refuses to let the last copy of a partition begin anew. Owned by the shard's
/// thread.
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

    /// Looks after a replica whose directory is lost, or its log damaged.
    void replace(PartitionKey key) {
        if (waiting.add(key)) {
            partitions.shard().execute(this::send); // With what else this turn finds.
        }
    }

    /// What the controller shall note as the replica's directory, if anything.
    private Optional<Uuid> directoryFor(PartitionKey key, List<Uuid> directories) {
        Optional<PartitionState> found =
                partitions.image().partition(key.topicId(), key.partition());
        if (found.isEmpty() || !found.get().replicas().has(partitions.brokerId())) {
            return Optional.empty();
        }
        PartitionState state = found.get();
        if (!isLost(state)) {
            return isDamaged(key) && hasOtherCopy(state)
                    ? Optional.of(Directories.LOST)
                    : Optional.empty();
        }
        if (!partitions.isFollowed(state)) {
            return Optional.empty();
        }
        if (!partitions.abandon(key)) {
            waiting.add(key);
            retryLater();
            return Optional.empty();
        }
        return Optional.of(directories.get(Math.floorMod(key.hashCode(), directories.size())));
    }

    private void retryLater() {
        if (!retry.isScheduled()) {
            partitions.shard().scheduleMs(retry, RETRY_MS);
        }
    }

    private boolean isDamaged(PartitionKey key) {
        return partitions.hosted(key).map(HostedPartition::isDamaged).orElse(false);
    }

    private boolean hasOtherCopy(PartitionState state) {
        return Stream.concat(state.isr().stream(), state.elr().stream())
                .anyMatch(id -> id != partitions.brokerId());
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
            directoryFor(key, directories)
                    .ifPresent(directory ->
                            requests.add(
                                    new AssignDirectory(
                                            new PartitionId(key.topicId(), key.partition()),
                                            directory)));
        }
        if (requests.isEmpty()) {
            return;
        }
        underWay = true;
        long lost =
                requests.stream()
                        .filter(request -> request.directory().equals(Directories.LOST))
                        .count();
        if (lost > 0) {
            LOG.warn("{} replicas of this broker are damaged: they leave the ISR.", lost);
        }
        if (lost < requests.size()) {
            LOG.warn(
                    "{} replicas of this broker are damaged or were in data directories that are not there any more: they are copied again from their leaders.",
                    requests.size() - lost);
        }
        var _ =
                controller
                        .assign(requests)
                        .whenComplete((errors, failure) ->
                                partitions
                                        .shard()
                                        .execute(() -> onAnswer(requests, errors, failure)));
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
            retryLater();
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
