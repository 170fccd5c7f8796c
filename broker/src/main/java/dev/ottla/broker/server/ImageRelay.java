package dev.ottla.broker.server;

import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.service.ImageListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Brings each new image to everybody: first the configuration, then the shards, each by a message,
/// and last the requests. So a request never comes to a shard that does not know yet what the
/// request was made from. On the metadata thread.
final class ImageRelay implements ImageListener {
    private final BrokerConfig config;
    private final List<ShardRuntime> shards;
    private final List<ImageListener> listeners = new CopyOnWriteArrayList<>();

    /// Written by the metadata thread when the shards have been told, read by all: an immutable
    /// image, of which any recent one will do.
    private volatile ClusterImage image;

    /// @param start the image that the shards begin with
    ImageRelay(BrokerConfig config, List<ShardRuntime> shards, ClusterImage start) {
        this.config = config;
        this.shards = List.copyOf(shards);
        this.image = start;
    }

    /// The image that requests work with. Any thread.
    ClusterImage image() {
        return image;
    }

    /// `listener` hears of changes after the shards were told and before requests see them.
    void addListener(ImageListener listener) {
        listeners.add(listener);
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage newImage) {
        boolean configChanged = config.onImage(delta, newImage);
        for (ShardRuntime runtime : shards) {
            runtime.shard()
                    .execute(() -> {
                        runtime.partitions().onImage(delta, newImage);
                        if (configChanged) {
                            runtime.partitions().onBrokerConfig();
                        }
                    });
        }
        listeners.forEach(listener -> listener.onImage(delta, newImage));
        image = newImage;
    }
}
