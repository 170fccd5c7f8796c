package dev.ottla.chaos.history;

import java.util.ArrayList;
import java.util.List;

/// Collects values one by one into as few [Span]s as there can be. Owned by one thread.
public final class Spans {
    private final List<Span> done = new ArrayList<>();
    private int writer = -1;
    private long first;
    private int count;

    public void add(int nextWriter, long number) {
        if (nextWriter == writer && number == first + count) {
            count++;
            return;
        }
        endSpan();
        writer = nextWriter;
        first = number;
        count = 1;
    }

    public boolean isEmpty() {
        return writer < 0;
    }

    /// What was added since the last call.
    public List<Span> take() {
        endSpan();
        writer = -1;
        List<Span> taken = List.copyOf(done);
        done.clear();
        return taken;
    }

    private void endSpan() {
        if (writer >= 0) {
            done.add(new Span(writer, first, count));
        }
    }
}
