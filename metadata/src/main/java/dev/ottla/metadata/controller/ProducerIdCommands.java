package dev.ottla.metadata.controller;

import dev.ottla.metadata.MetadataRecord;
import java.util.List;

/// Blocks of producer ids. A block is used up by being recorded: what its broker does not hand out
/// is never used.
final class ProducerIdCommands {
    /// As many as Kafka gives out at once.
    static final int BLOCK_SIZE = 1000;

    private final Context context;

    ProducerIdCommands(Context context) {
        this.context = context;
    }

    Outcome<ProducerIdBlock> allocate(int brokerId, long brokerEpoch) {
        long first = context.image().nextProducerId();
        long end = Math.addExact(first, BLOCK_SIZE);
        return new Outcome<>(
                List.of(new MetadataRecord.ProducerIds(brokerId, brokerEpoch, end)),
                new ProducerIdBlock(first, end));
    }
}
