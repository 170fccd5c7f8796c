package dev.ottla.quorum.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MetadataStoreTest {
    @Test
    void warningOfALogThatWasCutTellsWhatIsLostAndWhatToDo() throws IOException {
        FakeDisk disk = new FakeDisk();
        DataDirectory directory =
                DataDirectory.open(
                        disk,
                        Path.of("/data"),
                        new DataDirectory.Options(1, 0, 0, 0, new Uuid(7, 7)),
                        Runnable::run,
                        Runnable::run);
        MetadataStore store =
                new MetadataStore(
                        disk,
                        directory,
                        Runnable::run,
                        Runnable::run,
                        InstantSource.system(),
                        MetadataStoreOptions.DEFAULTS);

        String warning = store.warning(List.of("700 bytes behind offset 12 were cut off"));

        assertThat(warning)
                .startsWith("The metadata log in /data was not whole: 700 bytes behind offset 12")
                .contains("changes after that offset are lost")
                .contains("NAME.ID-stray")
                .contains("put /data/__cluster_metadata-0 back from a copy")
                .hasLineCount(1);
    }
}
