package dev.ottla.group;

import dev.ottla.group.classic.ClassicProtocol;
import dev.ottla.group.consumer.ClassicMembers;
import dev.ottla.group.consumer.ConsumerProtocol;
import dev.ottla.group.offset.OffsetStore;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;
import java.util.function.Supplier;

/// What a coordinator is made of. Its parts share one [Turn], that of the operation at hand. Owned
/// by the coordinator's thread.
final class Parts {
    final GroupConfigs configs;
    final Groups groups;
    final OffsetStore offsets;
    final Turn turn;
    final ClassicProtocol classic;
    final ConsumerProtocol consumer;
    final ClassicMembers classicMembers;
    final Migration migration;
    private TopicsView topics = TopicsView.EMPTY;

    Parts(GroupConfigs configs, Effects effects, Supplier<String> uniqueIds) {
        this.configs = configs;
        this.offsets = new OffsetStore(configs::offsets);
        this.groups = new Groups(offsets);
        this.turn = new Turn(effects, record -> groups.replay(record, -1));
        this.classic = new ClassicProtocol(configs::classic, uniqueIds);
        this.consumer = new ConsumerProtocol(configs::consumer, this::topics, uniqueIds);
        this.classicMembers = new ClassicMembers(consumer, this::topics, uniqueIds);
        this.migration = new Migration(configs, groups, classic, consumer);
    }

    /// The newest view of the topics.
    TopicsView topics() {
        return topics;
    }

    void setTopics(TopicsView view) {
        topics = view;
    }

    static Optional<Refusal> checkGroupId(String groupId) {
        if (!groupId.isEmpty()) return Optional.empty();
        return Optional.of(
                Refusal.of(
                        ErrorCode.INVALID_GROUP_ID,
                        "The group id is empty. Set group.id to a name of at least one character."));
    }

    static Refusal noSuchGroup(ErrorCode error, String groupId) {
        return Refusal.of(
                error,
                "Group %s does not exist. Check the name; joining a group or committing to it makes it.",
                groupId);
    }
}
