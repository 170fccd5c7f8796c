package dev.ottla.metadata.service;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A metadata log in memory that commits when a test says so.
final class FakeMetadataLog implements MetadataLog {
    /// Committed or not, in order.
    final List<MetadataBatch> appended = new ArrayList<>();

    int committed;
    int maxBatchBytes = 1 << 20;
    boolean snapshotDue;
    boolean refusing;
    long snapshotOffset = -1;
    List<MetadataRecord> snapshotRecords = List.of();
    private int epoch;
    private @Nullable Listener listener;

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        if (snapshotOffset >= 0) newListener.onSnapshot(snapshotOffset, 1, snapshotRecords);
        for (MetadataBatch batch : appended) newListener.onCommitted(batch);
        committed = appended.size();
        lead();
    }

    void lead() {
        epoch++;
        listener().onLeader(epoch);
    }

    /// Everything that is not committed is lost.
    void resign() {
        while (appended.size() > committed) appended.removeLast();
        int former = epoch;
        epoch = -1;
        listener().onResigned();
        epoch = former;
    }

    void commitOne() {
        listener().onCommitted(appended.get(committed++));
        if (snapshotDue) listener().onSnapshotDue();
    }

    void commitAll() {
        while (committed < appended.size()) commitOne();
    }

    private Listener listener() {
        if (listener == null) throw new IllegalStateException("not started");
        return listener;
    }

    @Override
    public long nextOffset() {
        return appended.isEmpty() ? snapshotOffset + 1 : appended.getLast().lastOffset() + 1;
    }

    @Override
    public long append(List<MetadataRecord> records, int ofEpoch) {
        if (ofEpoch != epoch) throw new NotControllerException("epoch " + ofEpoch + " is over");
        if (refusing) throw new NotControllerException("no room");
        MetadataBatch batch = new MetadataBatch(nextOffset(), epoch, 1, records);
        appended.add(batch);
        return batch.baseOffset();
    }

    @Override
    public int maxBatchBytes() {
        return maxBatchBytes;
    }

    @Override
    public void snapshot(long lastOffset, int ofEpoch, Iterable<MetadataRecord> image) {
        snapshotOffset = lastOffset;
        snapshotRecords = new ArrayList<>();
        image.forEach(snapshotRecords::add);
        snapshotDue = false;
    }

    @Override
    public QuorumState quorum() {
        return new QuorumState(1, epoch, nextOffset(), List.of(), List.of());
    }

    @Override
    public void close() {}
}
