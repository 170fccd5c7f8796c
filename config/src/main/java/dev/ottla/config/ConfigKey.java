package dev.ottla.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// One setting: its name, meaning and limits. Declared once, compared by identity. Immutable.
///
/// @param <T> the value in Java
public final class ConfigKey<T> {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    private final String name;
    private final KeyArea area;
    private final ConfigType<T> type;
    private final Value<T> defaultValue;
    private final Constraint<? super T> constraint;
    private final Importance importance;
    private final DynamicMode dynamicMode;
    private final Unit unit;
    private final Standing standing;
    private final List<Synonym<?, T>> synonyms;
    private final Optional<Difference> difference;
    private final boolean internal;
    private final boolean own;
    private final String documentation;

    ConfigKey(KeyBuilder<T> builder, String documentation) {
        this.name = builder.name;
        this.area = builder.area;
        this.type = builder.type;
        this.defaultValue = builder.defaultValue;
        this.constraint = builder.constraint;
        this.importance = builder.importance;
        this.dynamicMode = builder.dynamicMode;
        this.unit = builder.unit;
        this.standing = builder.standing;
        this.synonyms = List.copyOf(builder.synonyms);
        this.difference = builder.difference;
        this.internal = builder.internal;
        this.own = builder.own;
        this.documentation = documentation;
    }

    public String name() {
        return name;
    }

    public Scope scope() {
        return area.scope();
    }

    /// Heading under which the reference page lists the key.
    public String areaTitle() {
        return area.title();
    }

    public ConfigType<T> type() {
        return type;
    }

    public Importance importance() {
        return importance;
    }

    public DynamicMode dynamicMode() {
        return dynamicMode;
    }

    public Unit unit() {
        return unit;
    }

    public Standing standing() {
        return standing;
    }

    /// One sentence on what the key does.
    public String documentation() {
        return documentation;
    }

    /// What the key does and, unless it is honoured, why setting it changes nothing: for
    /// DescribeConfigs.
    public String explanation() {
        return standing.note()
                .map(note -> documentation + " It " + note + ".")
                .orElse(documentation);
    }

    /// A secret that no answer and no log may show.
    public boolean sensitive() {
        return type == ConfigType.PASSWORD;
    }

    /// Meant for tests and experts; listings leave it out unless it is set.
    public boolean internal() {
        return internal;
    }

    /// Ottla's own, unknown to Kafka.
    public boolean own() {
        return own;
    }

    /// How and why the default differs from Kafka's, if it does.
    public Optional<Difference> difference() {
        return difference;
    }

    /// The default in the given surroundings; empty when the value is absent unless set.
    public Optional<T> defaultIn(Surroundings surroundings) {
        return defaultValue.in(surroundings);
    }

    /// The allowed values in words; empty when every value of the type is allowed.
    public String range() {
        return constraint.words();
    }

    /// The value that `text` spells if this key takes it.
    public Optional<T> parse(String text) {
        return type.parse(text).filter(constraint::allows);
    }

    /// Whether `text` spells what holds when the key is not set, wherever that is.
    boolean isDefault(String text) {
        return defaultValue instanceof Value.Fixed<T> fixed
                && parse(text).equals(Optional.of(fixed.value()));
    }

    /// What is wrong with `text` as a value of this key, if anything.
    public Optional<ConfigProblem> check(String text) {
        if (parse(text).isPresent()) {
            return Optional.empty();
        }
        String expectation = type.parse(text).isEmpty() ? form(text) : range();
        String remedy =
                difference.isEmpty() && defaultValue instanceof Value.Fixed<T> fixed
                        ? "use such a value, or leave it out for the default %s"
                                .formatted(shown(type.format(fixed.value())))
                        : "use such a value, or leave it out for the default";
        return Optional.of(
                new ConfigProblem(name, sensitive() ? "[hidden]" : text, expectation, remedy));
    }

    /// What `text`, which is not of the type, should have been: the range of the type says little
    /// to who wrote no number at all, that of the key says more.
    private String form(String text) {
        return range().isEmpty() || !type.whole() || WHOLE_NUMBER.matcher(text.strip()).matches()
                ? type.expectation()
                : "a whole number, " + range();
    }

    Value<T> defaultValue() {
        return defaultValue;
    }

    List<Synonym<?, T>> synonyms() {
        return synonyms;
    }

    /// The default in words, for the reference page.
    String defaultWords() {
        return switch (defaultValue) {
            case Value.Absent<T> _ -> "";
            case Value.Fixed<T> fixed -> shown(type.format(fixed.value()));
            case Value.Derived<T> derived -> derived.rule();
        };
    }

    private static String shown(String text) {
        return text.isEmpty() ? "(empty)" : text;
    }

    @Override
    public String toString() {
        return name;
    }
}
