package dev.ottla.broker.handler.group;

import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.shell.ClientIdentity;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the group handlers share: turning a coordinator's reply into an answer.
final class GroupReplies {
    /// Questions of one request that are with the shards at a time.
    static final int WINDOW = 64;

    private GroupReplies() {}

    /// Answers `responder` with what the two functions make of the outcome.
    static <T> Reply<T> to(
            Responder responder,
            Function<T, ApiMessage> completed,
            Function<Refusal, ApiMessage> refused) {
        return of(
                responder,
                response -> responder.respond(completed.apply(response)),
                refusal -> responder.respond(refused.apply(refusal)));
    }

    /// Goes on with the request of `responder`.
    static <T> Reply<T> of(Responder responder, Consumer<T> completed, Consumer<Refusal> refused) {
        return new Reply<>() {
            @Override
            public void complete(T response) {
                responder.guard(() -> completed.accept(response));
            }

            @Override
            public void refuse(Refusal refusal) {
                responder.guard(() -> refused.accept(refusal));
            }
        };
    }

    /// The answer to every request of a protocol that is switched off.
    static Refusal notOffered(String protocol) {
        return Refusal.of(
                ErrorCode.UNSUPPORTED_VERSION,
                "This broker does not offer the %s group protocol: name it in group.coordinator.rebalance.protocols and raise the feature group.version, or use group.protocol=classic.",
                protocol);
    }

    static ClientIdentity client(RequestContext context) {
        InetAddress address = context.connection().remoteAddress().getAddress();
        return new ClientIdentity(context.clientId(), "/" + address.getHostAddress());
    }

    static MemberIdentity member(String memberId, @Nullable String instanceId) {
        return new MemberIdentity(memberId, Optional.ofNullable(instanceId));
    }

    /// Asks about each of `keys` and calls `done` with the results in the order of the keys when
    /// the last has come. Thread-safe, for the answers come from several shards. A request may name
    /// millions of groups, so only [#WINDOW] questions are under way at a time.
    static <K, R> void forEach(
            List<K> keys, BiConsumer<K, Consumer<R>> question, Consumer<List<R>> done) {
        if (keys.isEmpty()) {
            done.accept(List.of());
            return;
        }
        new Gathering<>(keys, question, done).ask();
    }

    /// Results of several questions. Guarded by its monitor, which is held for a few instructions.
    private static final class Gathering<K, R> {
        private final List<K> keys;
        private final BiConsumer<K, Consumer<R>> question;
        private final List<@Nullable R> results;
        private final Consumer<List<R>> done;
        private int asked;
        private int answered;

        /// Some thread is asking; it asks on behalf of those who come meanwhile. So answers that
        /// come at once don't nest.
        private boolean asking;

        Gathering(List<K> keys, BiConsumer<K, Consumer<R>> question, Consumer<List<R>> done) {
            this.keys = keys;
            this.question = question;
            this.results = new ArrayList<@Nullable R>(Collections.nCopies(keys.size(), null));
            this.done = done;
        }

        /// Asks as much as the window allows.
        void ask() {
            synchronized (this) {
                if (asking) return;
                asking = true;
            }
            for (int slot = next(); slot >= 0; slot = next()) {
                int asks = slot;
                question.accept(keys.get(slot), result -> put(asks, result));
            }
        }

        private synchronized int next() {
            if (asked < keys.size() && asked - answered < WINDOW) return asked++;
            asking = false;
            return -1;
        }

        private void put(int slot, R result) {
            List<R> complete = new ArrayList<>();
            synchronized (this) {
                results.set(slot, result);
                answered++;
                if (answered == keys.size()) {
                    for (R each : results) {
                        if (each != null) complete.add(each);
                    }
                }
            }
            if (complete.isEmpty()) {
                ask();
            } else {
                done.accept(complete);
            }
        }
    }
}
