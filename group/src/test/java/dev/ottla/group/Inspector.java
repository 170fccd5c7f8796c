package dev.ottla.group;

import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.offset.OffsetFetch;
import java.util.List;
import java.util.Optional;

/// Looks into a coordinator through its requests.
final class Inspector {
    private Inspector() {}

    static Optional<DescribedGroup> classic(
            GroupCoordinator coordinator, String groupId, long nowMs) {
        Answer<DescribedGroup> answer = new Answer<>();
        coordinator.describeGroup(groupId, answer, nowMs);
        return answer.isRefused() ? Optional.empty() : Optional.of(answer.get());
    }

    static Optional<DescribedConsumerGroup> consumer(
            GroupCoordinator coordinator, String groupId, long nowMs) {
        Answer<DescribedConsumerGroup> answer = new Answer<>();
        coordinator.describeConsumerGroup(groupId, answer, nowMs);
        return answer.isRefused() ? Optional.empty() : Optional.of(answer.get());
    }

    static boolean hasMember(TestShell shell, String groupId, String memberId) {
        return classic(shell.coordinator, groupId, shell.nowMs).stream()
                        .flatMap(group -> group.members().stream())
                        .anyMatch(member -> member.memberId().equals(memberId))
                || consumer(shell.coordinator, groupId, shell.nowMs).stream()
                        .flatMap(group -> group.members().stream())
                        .anyMatch(member -> member.memberId().equals(memberId));
    }

    static String state(TestShell shell, String groupId) {
        return classic(shell.coordinator, groupId, shell.nowMs)
                .map(DescribedGroup::state)
                .or(() ->
                        consumer(shell.coordinator, groupId, shell.nowMs)
                                .map(DescribedConsumerGroup::state))
                .orElse("none");
    }

    static OffsetFetch.Response offsets(GroupCoordinator coordinator, String groupId, long nowMs) {
        Answer<OffsetFetch.Response> answer = new Answer<>();
        coordinator.offsetFetch(
                new OffsetFetch.Request(groupId, Optional.empty(), -1, Optional.empty(), false),
                answer,
                nowMs);
        return answer.get();
    }

    static List<ListedGroup> list(GroupCoordinator coordinator, long nowMs) {
        Answer<List<ListedGroup>> answer = new Answer<>();
        coordinator.listGroups(List.of(), List.of(), answer, nowMs);
        return answer.get();
    }
}
