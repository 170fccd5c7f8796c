package dev.ottla.group.shell;

/// Where the answer to one request goes. Exactly one of the two methods is called, once, by the
/// shell, when every record that was appended before the answer is committed.
public interface Reply<T> {
    /// The request was carried out.
    void complete(T response);

    /// The request was refused, or the coordinator went away before it could answer.
    void refuse(Refusal refusal);
}
