package dev.ottla.broker.request;

/// The memory of one request's frame. Thread-safe, counted: whoever needs the bytes after the
/// answer retains first and releases once.
public interface RequestMemory {
    /// Memory that needs no counting, such as the heap.
    RequestMemory UNCOUNTED =
            new RequestMemory() {
                @Override
                public void retain() {}

                @Override
                public void release() {}
            };

    void retain();

    void release();
}
