package dev.ottla.bench.side;

import java.util.List;

/// One broker among those of its cluster. Immutable.
///
/// @param id from 1
/// @param ports the loopback ports of all brokers, by their ids; the next higher one of each is
///   free too
public record Member(int id, List<Integer> ports) {
    public Member {
        ports = List.copyOf(ports);
    }

    public int port() {
        return ports.get(id - 1);
    }

    public boolean isAlone() {
        return ports.size() == 1;
    }
}
