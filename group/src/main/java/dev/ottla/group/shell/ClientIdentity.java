package dev.ottla.group.shell;

/// Who sent a request, as the broker saw it.
///
/// @param id the client's `client.id`
/// @param host its address, as `/127.0.0.1`
public record ClientIdentity(String id, String host) {}
