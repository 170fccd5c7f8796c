package dev.ottla.metadata.controller;

import java.util.List;
import java.util.function.BiFunction;

/// What became of the parts of a broker's request, each by itself; or why none of them was looked
/// at: the broker's epoch is over.
///
/// @param parts in the order of the request; none when there is an error
public record BrokerReply<T>(ApiError error, List<T> parts) {
    public BrokerReply {
        parts = List.copyOf(parts);
    }

    static <T> BrokerReply<T> of(List<T> parts) {
        return new BrokerReply<>(ApiError.NONE, parts);
    }

    static <T> BrokerReply<T> refused(ApiError error) {
        return new BrokerReply<>(error, List.of());
    }

    /// The parts, where each of those that were asked for is refused if all are.
    public <Q> List<T> partsOr(List<Q> asked, BiFunction<Q, ApiError, T> refused) {
        return error.isNone()
                ? parts
                : asked.stream().map(one -> refused.apply(one, error)).toList();
    }
}
