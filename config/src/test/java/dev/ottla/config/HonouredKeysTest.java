package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A key is honoured when a test shows that changing it changes behaviour. Such a test says so by a
/// tag `config:KEY`, in whichever module it is.
class HonouredKeysTest {
    private static final Path ROOT = Path.of(System.getProperty("ottla.root", ".."));
    private static final Pattern TAG = Pattern.compile("@Tag\\(\\s*\"config:([^\"]*)\"\\s*\\)");

    @Test
    void everyHonouredKeyHasATestThatShowsIt() throws IOException {
        Set<String> missing = honoured();
        missing.removeAll(tagged());

        assertThat(missing)
                .as("honoured keys without a test that is tagged with @Tag(\"config:KEY\")")
                .isEmpty();
    }

    @Test
    void tagsNameHonouredKeys() throws IOException {
        Set<String> strangers = tagged();
        strangers.removeAll(honoured());

        assertThat(strangers)
                .as("tags of tests that name no key, or one that is not honoured")
                .isEmpty();
    }

    private static Set<String> honoured() {
        Set<String> names = new TreeSet<>();
        for (List<ConfigKey<?>> keys : ConfigTable.table().byArea().values()) {
            for (ConfigKey<?> key : keys) {
                if (key.standing() instanceof Standing.Honoured) names.add(key.name());
            }
        }
        return names;
    }

    private static Set<String> tagged() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path sources : testSources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                    Matcher tag = TAG.matcher(Files.readString(file));
                    while (tag.find()) names.add(tag.group(1));
                }
            }
        }
        return names;
    }

    private static List<Path> testSources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
