package dev.ottla.group.offset;

import java.util.OptionalLong;
import java.util.function.Predicate;

/// What the group of some offsets says about their expiry.
///
/// @param emptySinceMs when a group that had members lost them; empty to count from each commit
/// @param subscribed topics whose offsets stay whatever their age
public record ExpiryRule(OptionalLong emptySinceMs, Predicate<String> subscribed) {}
