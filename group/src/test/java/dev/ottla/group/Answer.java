package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;

/// A reply that remembers what it was given.
final class Answer<T> implements Reply<T> {
    private Optional<T> response = Optional.empty();
    private Optional<Refusal> refusal = Optional.empty();

    @Override
    public void complete(T response) {
        expectNothingYet();
        this.response = Optional.of(response);
    }

    @Override
    public void refuse(Refusal refusal) {
        expectNothingYet();
        this.refusal = Optional.of(refusal);
    }

    private void expectNothingYet() {
        if (isThere()) throw new AssertionError("answered twice: " + this);
    }

    boolean isThere() {
        return response.isPresent() || refusal.isPresent();
    }

    boolean isRefused() {
        return refusal.isPresent();
    }

    T get() {
        return response.orElseThrow(() -> new AssertionError("no response but " + this));
    }

    Refusal refusal() {
        return refusal.orElseThrow(() -> new AssertionError("no refusal but " + this));
    }

    void expectError(ErrorCode error) {
        assertThat(refusal().error()).isEqualTo(error);
        assertThat(refusal().message()).isNotBlank().doesNotContain("%");
    }

    void expectWaiting() {
        assertThat(isThere()).as("still waiting, but %s", this).isFalse();
    }

    @Override
    public String toString() {
        return response.<Object>map(value -> value)
                .or(() -> refusal)
                .map(Object::toString)
                .orElse("nothing");
    }
}
