package dev.ottla.metadata.service;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.wire.Check;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns committed batches into images. What stands between a begin and an end record is held back
/// until the end comes, and forgotten when the transaction is aborted.
///
/// Owned by the metadata thread; [#image] may be read by any.
final class ImagePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ImagePublisher.class);

    private final List<ImageListener> listeners = new ArrayList<>();

    /// Written by the metadata thread, read by all: an image is immutable and safely published by
    /// the volatile write, and readers need no more than some recent one.
    private volatile ClusterImage image = ClusterImage.EMPTY;

    private ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
    private boolean inTransaction;
    private boolean holding = true;

    ClusterImage image() {
        return image;
    }

    /// Whether a transaction was begun and not ended.
    boolean isInTransaction() {
        return inTransaction;
    }

    void add(ImageListener listener) {
        listeners.add(listener);
        if (!holding) listener.onImage(ImageDelta.between(ClusterImage.EMPTY, image), image);
    }

    /// Tells the listeners what was loaded, and from now on every change.
    void release() {
        holding = false;
        publish(ImageDelta.between(ClusterImage.EMPTY, image));
    }

    void onSnapshot(ImageVersion version, Iterable<MetadataRecord> records) {
        ClusterImage before = image;
        ImageDelta load = new ImageDelta(ClusterImage.EMPTY);
        load.replayAll(records);
        image = load.apply(version);
        inTransaction = false;
        delta = new ImageDelta(image);
        if (!holding) publish(ImageDelta.between(before, image));
    }

    void onCommitted(MetadataBatch batch) {
        Check.check(
                batch.baseOffset() > image.version().offset(),
                "batch at %d is behind the image at %d",
                batch.baseOffset(),
                image.version().offset());
        long offset = batch.baseOffset();
        for (MetadataRecord record : batch.records()) {
            if (record instanceof MetadataRecord.TransactionMarker marker) {
                replay(marker, new ImageVersion(offset - 1, batch.epoch()));
            } else {
                delta.replay(record);
            }
            offset++;
        }
        if (!inTransaction) apply(new ImageVersion(offset - 1, batch.epoch()));
    }

    private void replay(MetadataRecord.TransactionMarker marker, ImageVersion before) {
        switch (marker) {
            case MetadataRecord.BeginTransaction _ -> {
                Check.check(!inTransaction, "a transaction begins in another");
                if (!delta.isEmpty()) apply(before);
                inTransaction = true;
            }
            case MetadataRecord.EndTransaction _ -> {
                Check.check(inTransaction, "a transaction ends that was not begun");
                inTransaction = false;
            }
            case MetadataRecord.AbortTransaction _ -> {
                Check.check(inTransaction, "a transaction is aborted that was not begun");
                inTransaction = false;
                delta = new ImageDelta(image);
            }
        }
    }

    private void apply(ImageVersion version) {
        ImageDelta applied = delta;
        image = applied.apply(version);
        delta = new ImageDelta(image);
        if (!holding) publish(applied);
    }

    private void publish(ImageDelta change) {
        for (ImageListener listener : listeners) {
            try {
                listener.onImage(change, image);
            } catch (RuntimeException e) {
                // The others, and those who wait for an answer, are not to suffer for it.
                LOG.error(
                        "A part of this broker did not take the metadata of offset {}.",
                        image.version().offset(),
                        e);
            }
        }
    }
}
