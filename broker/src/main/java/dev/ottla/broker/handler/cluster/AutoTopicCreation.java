package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Makes topics that a client used before anybody created them. Thread-safe.
public interface AutoTopicCreation {
    /// `auto.create.topics.enable`, read when asked.
    boolean isEnabled();

    /// Creates those of `names` that do not exist, with the broker's defaults, and calls `done`
    /// once, on any thread, when their partitions can be used or creation has failed. The map tells
    /// why, by name, for the topics that do not exist after all.
    ///
    /// @param request whose request it is; it has failed when `done` throws
    void create(List<String> names, Consumer<Map<String, ErrorCode>> done, Responder request);
}
