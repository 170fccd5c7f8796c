package dev.ottla.broker.produce;

import dev.ottla.record.BatchValidator;
import dev.ottla.record.TimestampType;
import dev.ottla.record.ValidationResult;
import dev.ottla.record.ValidationRules;
import dev.ottla.wire.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks batches: cheap ones on the calling loop, with that loop's own validator, others on a
/// pool. Thread-safe: each loop uses its validator alone, and the pool's are handed from task to
/// task.
public final class BatchChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchChecks.class);

    /// What a batch may unpack to on a loop. A header that promises less and lies is checked again
    /// off the loop.
    private static final int LOOP_UNPACKED_BYTES = 1 << 20;

    private static final int POOL_UNPACKED_BYTES = Integer.MAX_VALUE - 8;

    /// By network loop, made when a loop first checks something.
    private final Map<Integer, BatchValidator> ofLoops = new ConcurrentHashMap<>();

    private final ConcurrentLinkedDeque<BatchValidator> idle = new ConcurrentLinkedDeque<>();
    private final Executor pool;

    /// What a check needs to know besides the batch.
    ///
    /// @param version of the produce request
    /// @param maxUnpackedBytes `max.decompressed.message.bytes`
    public record Terms(ValidationRules rules, int version, int maxUnpackedBytes, long nowMs) {}

    /// @param pool runs checks off the loops; its queue is bounded by the memory budget of requests
    public BatchChecks(Executor pool) {
        this.pool = pool;
    }

    /// Checks on the loop of that index if it takes little time; false when it was not done.
    boolean tryOnLoop(int loop, ProducePart part, Terms terms) {
        if (terms.maxUnpackedBytes() < LOOP_UNPACKED_BYTES
                || !BatchValidator.isCheap(part.records())) {
            return false;
        }
        ValidationResult result =
                ofLoops.computeIfAbsent(loop, _ -> new BatchValidator(LOOP_UNPACKED_BYTES))
                        .validate(
                                terms.rules(),
                                part.key().partition(),
                                terms.version(),
                                part.records(),
                                terms.nowMs());
        return switch (result) {
            case ValidationResult.OverLimit _ -> false;
            case ValidationResult.Valid valid when valid.needsRecompression() -> false;
            case ValidationResult.Valid _, ValidationResult.Rejected _ -> {
                apply(result, part, terms);
                yield true;
            }
        };
    }

    /// Checks on the pool; `done` runs there.
    void onPool(ProducePart part, Terms terms, Runnable done) {
        pool.execute(() -> {
            checkNow(part, terms);
            done.run();
        });
    }

    private void checkNow(ProducePart part, Terms terms) {
        boolean common = terms.maxUnpackedBytes() == POOL_UNPACKED_BYTES;
        BatchValidator reused = common ? idle.pollLast() : null;
        BatchValidator validator =
                reused != null ? reused : new BatchValidator(terms.maxUnpackedBytes());
        try {
            ValidationResult result =
                    validator.validate(
                            terms.rules(),
                            part.key().partition(),
                            terms.version(),
                            part.records(),
                            terms.nowMs());
            if (result instanceof ValidationResult.Valid valid && valid.needsRecompression()) {
                result = validator.recompress(terms.rules(), part.key().partition(), valid);
            }
            apply(result, part, terms);
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("A batch for {} could not be checked.", terms.rules().topic(), e);
            part.refuse(ErrorCode.UNKNOWN_SERVER_ERROR, "The batch could not be checked.");
        } finally {
            keepOrClose(common ? validator : null, validator);
        }
    }

    private void keepOrClose(@Nullable BatchValidator kept, BatchValidator validator) {
        if (kept != null) {
            idle.addLast(kept);
        } else {
            validator.close();
        }
    }

    private static void apply(ValidationResult result, ProducePart part, Terms terms) {
        switch (result) {
            case ValidationResult.Valid valid -> {
                boolean stamped = terms.rules().timestampType() == TimestampType.LOG_APPEND_TIME;
                if (stamped) {
                    valid.batch().setLogAppendTime(terms.nowMs());
                }
                part.accept(valid.batch().bytes(), stamped ? terms.nowMs() : -1);
            }
            case ValidationResult.OverLimit over -> refuse(part, over.rejection());
            case ValidationResult.Rejected rejected -> refuse(part, rejected);
        }
    }

    private static void refuse(ProducePart part, ValidationResult.Rejected rejected) {
        part.refuse(rejected.error(), rejected.message(), rejected.recordErrors());
    }

    /// To be called when the loops and the pool have ended.
    @Override
    public void close() {
        ofLoops.values().forEach(BatchValidator::close);
        idle.forEach(BatchValidator::close);
    }
}
