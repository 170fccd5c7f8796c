package dev.ottla.broker.coordinator;

import dev.ottla.broker.shard.Shard;
import dev.ottla.group.GroupConfigs;
import dev.ottla.record.Compression;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// What a coordinator's host needs of the shard it lives on. Used by the shard's thread, but for
/// the plain values, which any thread may ask for.
interface GroupEnvironment {
    Shard shard();

    /// Wall-clock time.
    long nowMs();

    GroupConfigs configs();

    /// Random texts for member ids.
    Supplier<String> uniqueIds();

    /// `offsets.load.buffer.size`
    int loadBufferBytes();

    /// The most that one batch may unpack to.
    int maxUncompressedBytes();

    /// `offsets.topic.compression.codec`
    Compression compression();

    /// `offsets.commit.timeout.ms`
    long commitTimeoutMs();

    /// Topics by regular expression, as of a version of the topics.
    interface RegexesResolved {
        void accept(Map<String, Set<String>> matches, long version);
    }

    /// Evaluates `regexes` on another thread; one of the two is called on the shard's thread.
    void resolveRegexes(Set<String> regexes, RegexesResolved resolved, Runnable failed);

    /// The host's state is ahead of its log: it ends and another one loads.
    void onAppendLost(GroupHost host);

    /// The host's coordinator failed: the same, after a pause.
    void onFailed(GroupHost host);
}
