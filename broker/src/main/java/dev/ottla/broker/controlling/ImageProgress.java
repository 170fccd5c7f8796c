package dev.ottla.broker.controlling;

import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.service.ImageListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Waits until the requests of this node work with the metadata of some offset. Owned by the
/// metadata thread; [#whenReached] may be called by any.
public final class ImageProgress implements ImageListener {
    private final Supplier<ClusterImage> image;
    private final Executor metadataThread;
    private final Delays delays;

    /// Bounded by the requests that are forwarded.
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(long offset, Runnable task) {}

    /// @param image that requests work with
    public ImageProgress(Supplier<ClusterImage> image, Executor metadataThread, Delays delays) {
        this.image = image;
        this.metadataThread = metadataThread;
        this.delays = delays;
    }

    /// Listeners hear of an image before requests do.
    @Override
    public void onImage(ImageDelta delta, ClusterImage newImage) {
        if (!waiting.isEmpty()) metadataThread.execute(this::run);
    }

    /// Runs `task` once, on the metadata thread: when the offset is reached, or after `timeoutMs`.
    public void whenReached(long offset, long timeoutMs, Runnable task) {
        Waiting one = new Waiting(offset, task);
        metadataThread.execute(() -> {
            waiting.add(one);
            run();
            if (waiting.contains(one)) {
                delays.after(timeoutMs, () -> metadataThread.execute(() -> giveUp(one)));
            }
        });
    }

    private void giveUp(Waiting one) {
        if (waiting.remove(one)) one.task().run();
    }

    private void run() {
        long reached = image.get().version().offset();
        List<Waiting> ready = waiting.stream().filter(each -> each.offset() <= reached).toList();
        waiting.removeAll(ready);
        ready.forEach(each -> each.task().run());
    }
}
