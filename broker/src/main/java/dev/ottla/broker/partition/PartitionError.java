package dev.ottla.broker.partition;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;

/// Why a partition does not do what it was asked.
///
/// @param message a sentence for the client that names the partition
public record PartitionError(ErrorCode code, String message) {
    public PartitionError {
        message = ErrorText.bounded(message);
    }
}
