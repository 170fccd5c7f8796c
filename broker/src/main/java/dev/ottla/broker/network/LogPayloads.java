package dev.ottla.broker.network;

import dev.ottla.broker.request.OwnedRecords;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.message.FetchResponse;

/// Finds the records inside responses that are not plain memory. Only Fetch answers carry any.
final class LogPayloads {
    private LogPayloads() {}

    /// Bytes of `response` that are sent from where they are instead of being written into the
    /// answer's own buffer.
    static long sizeBytes(ApiMessage response) {
        if (!(response instanceof FetchResponse fetch)) {
            return 0;
        }
        long sum = 0;
        for (FetchResponse.FetchableTopicResponse topic : fetch.responses()) {
            for (FetchResponse.PartitionData partition : topic.partitions()) {
                if (partition.records() instanceof OwnedRecords records) {
                    sum += records.sizeBytes();
                }
            }
        }
        return sum;
    }

    /// Releases what a response holds that will not be sent.
    static void release(ApiMessage response) {
        releaseAfter(0, response);
    }

    /// Releases all but the first `sent`, which are somebody else's by now.
    static void releaseAfter(int sent, ApiMessage response) {
        if (!(response instanceof FetchResponse fetch)) {
            return;
        }
        int seen = 0;
        for (FetchResponse.FetchableTopicResponse topic : fetch.responses()) {
            for (FetchResponse.PartitionData partition : topic.partitions()) {
                if (partition.records() instanceof OwnedRecords owned && seen++ >= sent) {
                    owned.release();
                }
            }
        }
    }
}
