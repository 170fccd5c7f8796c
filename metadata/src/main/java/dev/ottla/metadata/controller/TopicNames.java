package dev.ottla.metadata.controller;

import java.util.Optional;

/// Which names a topic may have.
public final class TopicNames {
    /// Longest name, in characters; a directory name adds a dash and a number.
    public static final int MAX_LENGTH = 249;

    private TopicNames() {}

    /// What is wrong with a name, as a sentence; empty when it is legal.
    public static Optional<String> problem(String name) {
        if (name.isEmpty()) return Optional.of("A topic name must not be empty.");
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("'%s' is no topic name: choose another one.".formatted(name));
        }
        if (name.length() > MAX_LENGTH) {
            return Optional.of(
                    "The topic name '%s' has %d characters: use at most %d."
                            .formatted(name, name.length(), MAX_LENGTH));
        }
        if (!name.chars().allMatch(TopicNames::isLegal)) {
            return Optional.of(
                    "The topic name '%s' has characters other than ASCII letters, digits, '.', '_' and '-': leave them out."
                            .formatted(name));
        }
        return Optional.empty();
    }

    private static boolean isLegal(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }
}
