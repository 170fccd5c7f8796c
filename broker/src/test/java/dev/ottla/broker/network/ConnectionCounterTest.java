package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.ConnectionCounter.Entry;
import dev.ottla.broker.network.ConnectionCounter.Newcomer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionCounterTest {
    private static final int PER_ADDRESS = 3;

    private final ConnectionCounter counter =
            new ConnectionCounter(
                    new ConnectionLimits(2, Map.of(), PER_ADDRESS, Map.of(), Integer.MAX_VALUE));
    private final List<String> admitted = new ArrayList<>();

    @Test
    void thoseWhoWaitCountForTheirAddress() {
        Newcomer other = from("b");
        assertThat(counter.enter(other, 0)).isInstanceOf(Entry.Admitted.class);
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Admitted.class);
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Waits.class);
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Waits.class);

        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Refused.class);
        assertThat(counter.enter(from("b"), 0)).isInstanceOf(Entry.Waits.class);

        counter.leave(other, 0);
        assertThat(admitted).containsExactly("a");
        assertThat(counter.total()).isEqualTo(2);
    }

    @Test
    void whoeverLeavesMakesRoomForItsAddress() {
        List<Newcomer> three = List.of(from("a"), from("a"), from("a"));
        three.forEach(newcomer -> counter.enter(newcomer, 0));
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Refused.class);

        counter.leave(three.getFirst(), 0);

        assertThat(admitted).containsExactly("a");
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Waits.class);
        assertThat(counter.enter(from("a"), 0)).isInstanceOf(Entry.Refused.class);
    }

    private Newcomer from(String address) {
        return new Newcomer("PLAINTEXT", address, () -> admitted.add(address));
    }
}
