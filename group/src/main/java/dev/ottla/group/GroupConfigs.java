package dev.ottla.group;

import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.offset.OffsetSettings;

/// Where the coordinator reads its settings. It asks again at each use, so a changed setting takes
/// effect at once; the shell answers from what it has at hand, without waiting for anything.
public interface GroupConfigs {
    ClassicSettings classic();

    /// The settings of one group, its own configuration included.
    ConsumerSettings consumer(String groupId);

    OffsetSettings offsets();

    /// Kafka's defaults for everything.
    GroupConfigs DEFAULT =
            new GroupConfigs() {
                @Override
                public ClassicSettings classic() {
                    return ClassicSettings.DEFAULT;
                }

                @Override
                public ConsumerSettings consumer(String groupId) {
                    return ConsumerSettings.DEFAULT;
                }

                @Override
                public OffsetSettings offsets() {
                    return OffsetSettings.DEFAULT;
                }
            };
}
