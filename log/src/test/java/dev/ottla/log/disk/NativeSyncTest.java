package dev.ottla.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where one sync of the file system is relied on.
class NativeSyncTest {
    @Test
    void fileSystemsWithADiskOfTheirOwnAreReliedOn() {
        assertThat(NativeSync.isReliable(0xEF53)).as("ext4").isTrue();
        assertThat(NativeSync.isReliable(0x58465342)).as("xfs").isTrue();
        assertThat(NativeSync.isReliable(0x9123683EL)).as("btrfs").isTrue();
        assertThat(NativeSync.isReliable(0xFFFFFFFF9123683EL)).as("btrfs, 32 bits").isTrue();
        assertThat(NativeSync.isReliable(0xF2F52010L)).as("f2fs").isTrue();
    }

    @Test
    void othersAreNot() {
        assertThat(NativeSync.isReliable(0x794C7630)).as("overlayfs").isFalse();
        assertThat(NativeSync.isReliable(0x65735546)).as("FUSE").isFalse();
        assertThat(NativeSync.isReliable(0x01021997)).as("9p").isFalse();
        assertThat(NativeSync.isReliable(0x01021994)).as("tmpfs").isFalse();
        assertThat(NativeSync.isReliable(0x6969)).as("NFS").isFalse();
        assertThat(NativeSync.isReliable(0)).isFalse();
    }

    @Test
    void kernelsThatKeepFailuresToThemselvesAreNotReliedOn() {
        assertThat(NativeSync.reportsFailures("5.16.20")).isFalse();
        assertThat(NativeSync.reportsFailures("4.19.0-27-amd64")).isFalse();
        assertThat(NativeSync.reportsFailures("strange")).isFalse();
        assertThat(NativeSync.reportsFailures("5.17.0")).isTrue();
        assertThat(NativeSync.reportsFailures("6.12.3-arch1")).isTrue();
    }

    /// The type that the system tells, against the name that it has for it.
    @Test
    void theFileSystemOfThisDirectoryIsTold(@TempDir Path directory) throws IOException {
        assumeThat(NativeSync.bound()).isTrue();
        assumeThat(NativeSync.reportsFailures(System.getProperty("os.version"))).isTrue();
        String name = Files.getFileStore(directory).type();

        Optional<FileSystemSync> sync = NativeSync.open(directory);

        assertThat(sync.isPresent())
                .as(name)
                .isEqualTo(Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs").contains(name));
        if (sync.isPresent()) {
            try (FileSystemSync open = sync.get()) {
                open.sync();
            }
        }
    }

    @Test
    void aFileSystemInMemoryIsSyncedFileByFile() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeThat(Files.isWritable(memory)).isTrue();
        assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");

        assertThat(new FileDisk().openFileSystemSync(memory)).isEmpty();
    }
}
