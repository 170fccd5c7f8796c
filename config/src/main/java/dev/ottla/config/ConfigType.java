package dev.ottla.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// What the text of a value means. The same nine types as Kafka's, with the codes that
/// DescribeConfigs sends. Immutable.
///
/// @param <T> the value in Java
public final class ConfigType<T> {
    public static final ConfigType<Boolean> BOOLEAN =
            new ConfigType<>(
                    "boolean",
                    1,
                    Boolean.class,
                    "true or false",
                    ConfigType::parseBoolean,
                    String::valueOf);
    public static final ConfigType<String> STRING =
            new ConfigType<>("string", 2, String.class, "text", Optional::of, s -> s);
    public static final ConfigType<Integer> INT =
            new ConfigType<>(
                    "int",
                    3,
                    Integer.class,
                    "a whole number from -2147483648 to 2147483647",
                    text -> number(text, Integer::valueOf),
                    String::valueOf);
    public static final ConfigType<Short> SHORT =
            new ConfigType<>(
                    "short",
                    4,
                    Short.class,
                    "a whole number from -32768 to 32767",
                    text -> number(text, Short::valueOf),
                    String::valueOf);
    public static final ConfigType<Long> LONG =
            new ConfigType<>(
                    "long",
                    5,
                    Long.class,
                    "a whole number from -9223372036854775808 to 9223372036854775807",
                    text -> number(text, Long::valueOf),
                    String::valueOf);
    public static final ConfigType<Double> DOUBLE =
            new ConfigType<>(
                    "double",
                    6,
                    Double.class,
                    "a number",
                    text -> number(text, Double::valueOf),
                    String::valueOf);
    public static final ConfigType<List<String>> LIST =
            new ConfigType<>(
                    "list",
                    7,
                    TextList.class,
                    "values separated by commas",
                    ConfigType::parseList,
                    v -> String.join(",", v));

    /// The name of a class. Ottla loads none, so any name is well formed.
    public static final ConfigType<String> CLASS =
            new ConfigType<>("class", 8, String.class, "a class name", Optional::of, s -> s);

    public static final ConfigType<Password> PASSWORD =
            new ConfigType<>(
                    "password",
                    9,
                    Password.class,
                    "text",
                    text -> Optional.of(new Password(text)),
                    Password::secret);

    private final String name;
    private final byte code;
    private final Class<? extends T> kind;
    private final String expectation;
    private final Function<String, Optional<T>> parser;
    private final Function<T, String> formatter;

    private ConfigType(
            String name,
            int code,
            Class<? extends T> kind,
            String expectation,
            Function<String, Optional<T>> parser,
            Function<T, String> formatter) {
        this.name = name;
        this.code = (byte) code;
        this.kind = kind;
        this.expectation = expectation;
        this.parser = parser;
        this.formatter = formatter;
    }

    /// The value that `text` spells, or nothing when it is not of this type. Blanks around it do
    /// not count.
    public Optional<T> parse(String text) {
        return parser.apply(text.strip());
    }

    /// The text that stands for `value`; passwords in the clear.
    public String format(T value) {
        return formatter.apply(value);
    }

    /// The type code of DescribeConfigs.
    public byte code() {
        return code;
    }

    /// What a value of this type looks like, for messages.
    public String expectation() {
        return expectation;
    }

    /// Whether the values are whole numbers.
    boolean whole() {
        return kind == Integer.class || kind == Short.class || kind == Long.class;
    }

    @Override
    public String toString() {
        return name;
    }

    T cast(Object value) {
        return kind.cast(value);
    }

    private static Optional<Boolean> parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<List<String>> parseList(String text) {
        return Optional.of(
                new TextList(
                        text.isEmpty()
                                ? List.of()
                                : Arrays.stream(text.split(",", -1)).map(String::strip).toList()));
    }

    private static <N> Optional<N> number(String text, Function<String, N> parser) {
        try {
            return Optional.of(parser.apply(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
