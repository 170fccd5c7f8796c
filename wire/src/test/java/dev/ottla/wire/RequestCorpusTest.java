package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.ApiKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The kept corpus of [RequestFuzzTest] starts with one well-formed request of each API in its
/// latest version. `-Dottla.corpus.write=true` writes those that are missing or no longer readable.
final class RequestCorpusTest {
    private static final Path FOLDER =
            Path.of(
                    "src/test/resources/dev/ottla/wire/RequestFuzzTestInputs",
                    "anyBytesAreReadOrRefused");

    @Test
    void everyApiHasAWellFormedRequest() throws IOException {
        for (ApiKey key : ApiKey.values()) {
            Path file = FOLDER.resolve(key.title());
            if (Boolean.getBoolean("ottla.corpus.write") && !isWellFormed(key, file)) {
                write(key, file);
            }
            assertThat(isWellFormed(key, file)).as("%s", file).isTrue();
        }
    }

    /// As Jazzer does without fuzzing, but without its start-up.
    @Test
    void keptInputsAreReadOrRefused() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.toList()) {
                FuzzInput.parse(Files.readAllBytes(file)).ifPresent(FuzzInput::decode);
            }
        }
    }

    private static boolean isWellFormed(ApiKey key, Path file) throws IOException {
        if (!Files.exists(file)) return false;
        FuzzInput input = FuzzInput.parse(Files.readAllBytes(file)).orElseThrow();
        if (input.key() != key || input.version() != key.latestVersion()) return false;
        WireReader reader = new WireReader(input.request());
        key.readRequest(reader, input.version());
        return reader.remaining() == 0;
    }

    private static void write(ApiKey key, Path file) throws IOException {
        RandomValues values =
                RandomRequests.values(key, TestSeed.random(TestSeed.next(key.title())));
        ByteBuffer request = RandomRequests.next(values, key.latestVersion());
        Files.createDirectories(FOLDER);
        Files.write(file, new FuzzInput(key, key.latestVersion(), request).toBytes());
    }
}
