package dev.ottla.wire.generator;

/// A range of versions, both ends inclusive; empty when the lowest is above the highest.
record Versions(int lowest, int highest) {
    static final Versions NONE = new Versions(0, -1);

    /// Reads `3`, `3-5`, `3+` or `none`.
    static Versions parse(String text) {
        if (text.equals("none")) return NONE;
        if (text.endsWith("+")) {
            return new Versions(
                    Integer.parseInt(text.substring(0, text.length() - 1)), Short.MAX_VALUE);
        }
        int dash = text.indexOf('-');
        if (dash < 0) return new Versions(Integer.parseInt(text), Integer.parseInt(text));
        return new Versions(
                Integer.parseInt(text.substring(0, dash)),
                Integer.parseInt(text.substring(dash + 1)));
    }

    boolean isEmpty() {
        return lowest > highest;
    }

    Versions intersect(Versions other) {
        Versions both =
                new Versions(Math.max(lowest, other.lowest), Math.min(highest, other.highest));
        return both.isEmpty() ? NONE : both;
    }

    boolean contains(int version) {
        return version >= lowest && version <= highest;
    }

    boolean contains(Versions other) {
        return other.isEmpty() || (contains(other.lowest) && contains(other.highest));
    }

    /// The Java condition for `version` being in this range, given that it is in `known`; `true` or
    /// `false` if that decides it.
    String condition(Versions known) {
        Versions both = intersect(known);
        if (both.isEmpty()) return "false";
        if (both.equals(known)) return "true";
        if (both.highest == known.highest) return "version >= " + both.lowest;
        if (both.lowest == known.lowest) return "version <= " + both.highest;
        if (both.lowest == both.highest) return "version == " + both.lowest;
        return "version >= " + both.lowest + " && version <= " + both.highest;
    }
}
