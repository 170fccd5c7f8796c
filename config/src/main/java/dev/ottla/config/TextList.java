package dev.ottla.config;

import java.util.AbstractList;
import java.util.List;

/// The value of a list key: a list whose class says that it holds texts, so that it can be told
/// from other values without an unchecked cast. Immutable.
final class TextList extends AbstractList<String> {
    private final List<String> entries;

    TextList(List<String> entries) {
        this.entries = List.copyOf(entries);
    }

    @Override
    public String get(int index) {
        return entries.get(index);
    }

    @Override
    public int size() {
        return entries.size();
    }
}
