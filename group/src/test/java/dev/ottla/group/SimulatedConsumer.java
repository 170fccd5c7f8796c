package dev.ottla.group;

import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.wire.Uuid;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/// A consumer of the consumer protocol in the simulation.
final class SimulatedConsumer implements SimulatedClient {
    private final TestShell shell;
    private final RandomGenerator random;
    private final String groupId;
    private final String name;
    private final Optional<String> instanceId;
    private int incarnation;
    private ConsumerClient client;
    private boolean in;
    private boolean lostAnswer;
    private boolean joining;
    private int lookedAgain;
    private boolean slowToRevoke;
    private boolean behaves;
    private final boolean usesPattern;
    private Set<String> topics;

    SimulatedConsumer(
            TestShell shell,
            RandomGenerator random,
            String groupId,
            String name,
            boolean isStatic,
            Set<String> topics) {
        this.shell = shell;
        this.random = random;
        this.groupId = groupId;
        this.name = name;
        this.instanceId = isStatic ? Optional.of(name) : Optional.empty();
        this.topics = topics;
        this.usesPattern = random.nextInt(3) == 0;
        this.client = newClient();
    }

    private ConsumerClient newClient() {
        ConsumerClient made = new ConsumerClient(shell, groupId, name + "-" + incarnation++);
        made.instanceId = instanceId;
        made.rebalanceTimeoutMs = 60_000;
        return made;
    }

    @Override
    public void step() {
        describe();
        Answer<ConsumerHeartbeat.Response> answer;
        if (!in) {
            answer = joining ? client.lookAgain() : client.join();
            joining = !answer.isThere();
            // A coordinator that went away answers no more: the client's request times out.
            if (joining && ++lookedAgain > 20) startOver();
            if (joining) return;
        } else if (!behaves && random.nextInt(20) == 0) {
            // The answer is lost: the client goes on with what it knew, and asks for everything
            // next.
            client.send(client.epoch, false);
            lostAnswer = true;
            return;
        } else {
            boolean goesOn = slowToRevoke ? random.nextInt(3) > 0 : random.nextInt(10) == 0;
            slowToRevoke = goesOn && !behaves;
            client.holdsOn = slowToRevoke;
            answer = lostAnswer ? client.heartbeatInFull() : client.heartbeat();
            lostAnswer = false;
        }
        if (!answer.isRefused()) {
            in = true;
            return;
        }
        switch (answer.refusal().error()) {
            case UNRELEASED_INSTANCE_ID -> in = false;
            case UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH, FENCED_INSTANCE_ID, GROUP_ID_NOT_FOUND ->
                    startOver();
            default -> throw new AssertionError(name + ": " + answer);
        }
    }

    /// By name or, if it takes everything, by a pattern.
    private void describe() {
        boolean byPattern = usesPattern && topics.size() > 1;
        client.topics = Optional.of(byPattern ? Set.of() : topics);
        client.regex = Optional.of(byPattern ? "[a-z]" : "");
    }

    private void startOver() {
        joining = false;
        lookedAgain = 0;
        in = false;
        client = newClient();
    }

    void subscribe(Set<String> other) {
        topics = other;
        if (!in) return;
        describe();
        client.holdsOn = false;
        if (client.heartbeatInFull().isRefused()) startOver();
    }

    @Override
    public void kill() {
        startOver();
    }

    @Override
    public void leave() {
        if (in) {
            if (instanceId.isPresent() && random.nextBoolean()) client.leaveForNow();
            else client.leave();
        }
        startOver();
    }

    @Override
    public String name() {
        return client.memberId;
    }

    @Override
    public Set<String> topics() {
        return topics;
    }

    @Override
    public void reads(BiConsumer<Uuid, Integer> partitions) {
        if (!in) return;
        client.owned
                .topics()
                .forEach((topicId, owned) ->
                        owned.stream().forEach(partition -> partitions.accept(topicId, partition)));
    }

    @Override
    public boolean isMember() {
        return in && Inspector.hasMember(shell, groupId, client.memberId);
    }

    @Override
    public boolean isSettled() {
        return in && !slowToRevoke;
    }

    @Override
    public void behave() {
        behaves = true;
    }
}
