package dev.ottla.wire.generator;

/// Java text in the making; a line that ends with a brace opens a block.
final class Code {
    private final StringBuilder text = new StringBuilder();
    private int depth;

    Code line(String line) {
        if (line.startsWith("}")) depth--;
        if (!line.isEmpty()) text.repeat("    ", depth).append(line);
        text.append('\n');
        if (line.endsWith("{")) depth++;
        return this;
    }

    /// Adds the statement under a condition, which may be the words `true` or `false`.
    Code lineIf(String condition, String statement) {
        if (condition.equals("true")) return line(statement);
        return condition.equals("false") ? this : line("if (" + condition + ") " + statement);
    }

    /// Adds lines that are already complete, moved to the present depth.
    Code lines(String lines) {
        for (String line : lines.lines().toList()) {
            if (!line.isEmpty()) text.repeat("    ", depth).append(line);
            text.append('\n');
        }
        return this;
    }

    boolean mentions(String word) {
        return text.indexOf(word) >= 0;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
