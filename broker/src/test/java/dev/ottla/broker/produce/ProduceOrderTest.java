package dev.ottla.broker.produce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProduceOrderTest {
    private final List<String> dispatched = new ArrayList<>();
    private final ProduceOrder order = new ProduceOrder();

    @Test
    void requestsThatAreReadyGoAtOnce() {
        enter("a", true);
        enter("b", true);

        assertThat(dispatched).containsExactly("a", "b");
    }

    @Test
    void requestBehindASlowCheckWaitsForIt() {
        ProduceOrder.Turn slow = enter("slow", false);
        enter("quick", true);
        ProduceOrder.Turn alsoSlow = enter("also slow", false);
        assertThat(dispatched).isEmpty();

        order.onReady(alsoSlow);
        assertThat(dispatched).isEmpty();

        order.onReady(slow);
        assertThat(dispatched).containsExactly("slow", "quick", "also slow");
    }

    private ProduceOrder.Turn enter(String name, boolean ready) {
        return order.enter(() -> dispatched.add(name), ready);
    }
}
