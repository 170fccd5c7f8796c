package dev.ottla.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes `docs/reference/config.md` from the declarations.
final class ReferencePage {
    private final ConfigTable table = ConfigTable.table();
    private final StringBuilder page = new StringBuilder();

    private ReferencePage() {}

    static String text() {
        return new ReferencePage().write();
    }

    private String write() {
        page.append(
                """
                # Configuration

                Generated from the declarations in the module `config`. A test fails when this page is stale, and writes
                it anew when run with `-Dottla.rewrite=true`.

                Every key that Kafka 4.4 documents for brokers, topics, groups and client metrics is here, beside a few of
                Ottla's own. Names, types, ranges and defaults are Kafka's; where a default differs, the list at the end
                says why. *Honoured* means that changing the value changes behaviour. A key that is not honoured is
                accepted with a note in the log, an unknown one with a warning that names the nearest known one.

                A value is looked for on the topic or group itself, then among what was changed at run time for this
                broker, then for all brokers, then in the file; the default comes last. Keys of a listener may be prefixed
                with `listener.name.NAME.` for that listener alone. *Dynamic* says whether a change needs no restart.

                """);
        counts();
        table.byArea().forEach(this::area);
        differences();
        return page.toString();
    }

    private void counts() {
        page.append("| keys of | honoured | no effect | later |\n|---|---|---|---|\n");
        for (Scope scope : Scope.values()) {
            Collection<ConfigKey<?>> keys = table.keys(scope);
            row(
                    scope.words(),
                    count(keys, Standing.Honoured.class),
                    count(keys, Standing.NoEffect.class),
                    count(keys, Standing.Later.class));
        }
    }

    private static String count(Collection<ConfigKey<?>> keys, Class<? extends Standing> standing) {
        return Long.toString(
                keys.stream().filter(key -> standing.isInstance(key.standing())).count());
    }

    private void area(String title, List<ConfigKey<?>> keys) {
        page.append("\n## ").append(title).append("\n\n");
        row("key", "type", "default", "allowed", "unit", "dynamic", "standing", "what it does");
        row("---", "---", "---", "---", "---", "---", "---", "---");
        for (ConfigKey<?> key : keys) {
            row(
                    name(key),
                    key.type().toString(),
                    defaultValue(key),
                    key.range(),
                    key.unit().toString(),
                    key.scope() == Scope.BROKER ? key.dynamicMode().toString() : "yes",
                    key.standing().words(),
                    key.documentation() + follows(key));
        }
    }

    private static String name(ConfigKey<?> key) {
        return "`"
                + key.name()
                + "`"
                + (key.own() ? " (Ottla's own)" : "")
                + (key.internal() ? " (internal)" : "");
    }

    private static String defaultValue(ConfigKey<?> key) {
        return switch (key.defaultValue()) {
            case Value.Fixed<?> _ when !key.defaultWords().startsWith("(") ->
                    "`" + key.defaultWords() + "`";
            case Value.Absent<?> _ -> key.difference().map(Difference::reason).orElse("");
            case Value.Fixed<?> _, Value.Derived<?> _ -> key.defaultWords();
        };
    }

    private static String follows(ConfigKey<?> key) {
        return key.synonyms().isEmpty()
                ? ""
                : key.synonyms().stream()
                        .map(synonym ->
                                (synonym.key().name().equals(key.name()) ? "the broker's " : "")
                                        + "`"
                                        + synonym.key()
                                        + "`")
                        .collect(Collectors.joining(", then ", " When not set: ", "."));
    }

    private void differences() {
        page.append("\n## Defaults that differ from Kafka's\n\n");
        row("key", "Ottla", "Kafka", "why");
        row("---", "---", "---", "---");
        for (ConfigKey<?> key : (Iterable<ConfigKey<?>>) everyKey()::iterator) {
            key.difference()
                    .ifPresent(difference ->
                            row(
                                    "`"
                                            + key.name()
                                            + "`"
                                            + (key.scope() == Scope.TOPIC ? " of a topic" : ""),
                                    key.defaultWords().isEmpty() ? "none" : key.defaultWords(),
                                    difference.kafkaDefault().orElse("none, it must be set"),
                                    difference.reason()));
        }
    }

    private Stream<ConfigKey<?>> everyKey() {
        return table.byArea().entrySet().stream().map(Map.Entry::getValue).flatMap(List::stream);
    }

    private void row(String... cells) {
        page.append("| ");
        page.append(
                Stream.of(cells)
                        .map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ")));
        page.append(" |\n");
    }
}
