package dev.ottla.broker.handler.config;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.ConfigOp;
import dev.ottla.wire.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Changes of log levels, which take effect in this process at once.
final class LoggerChanges {
    private final int nodeId;
    private final LoggerLevels loggers;

    LoggerChanges(int nodeId, LoggerLevels loggers) {
        this.nodeId = nodeId;
        this.loggers = loggers;
    }

    /// All of `ops` or none.
    ApiError apply(String broker, List<ConfigOp> ops, boolean validateOnly) {
        if (!broker.equals(Integer.toString(nodeId))) {
            return ApiError.of(
                    ErrorCode.INVALID_REQUEST,
                    "This is broker %d and the loggers of '%s' were named: send the request to that broker.",
                    nodeId,
                    broker);
        }
        Map<String, Optional<String>> changes = new HashMap<>();
        for (ConfigOp op : ops) {
            ApiError problem = check(op);
            if (!problem.isNone()) return problem;
            changes.put(op.key(), op.value());
        }
        if (!validateOnly) loggers.set(changes);
        return ApiError.NONE;
    }

    private static ApiError check(ConfigOp op) {
        return switch (op.kind()) {
            case SET ->
                    op.value().filter(LoggerLevels::isLevel).isPresent()
                            ? ApiError.NONE
                            : ApiError.of(
                                    ErrorCode.INVALID_CONFIG,
                                    "'%s' is no level for logger %s: use FATAL, ERROR, WARN, INFO, DEBUG or TRACE.",
                                    op.value().orElse(""),
                                    op.key());
            case DELETE ->
                    op.key().equals(LoggerLevels.ROOT)
                            ? ApiError.of(
                                    ErrorCode.INVALID_REQUEST,
                                    "The level of the root logger cannot be removed, for there is no parent to take it from: set another one.")
                            : ApiError.NONE;
            case APPEND, SUBTRACT ->
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "The level of logger %s is one word: set or delete it.",
                            op.key());
        };
    }
}
