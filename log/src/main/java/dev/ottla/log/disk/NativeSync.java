package dev.ottla.log.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// System calls that Java has no name for, through the foreign function API. Linux only; elsewhere
/// each says so. Thread-safe: no state.
@SuppressWarnings("restricted") // The one class that makes foreign calls.
final class NativeSync {
    private static final Pattern VERSION = Pattern.compile("^(\\d{1,4})\\.(\\d{1,4})");

    private static final int O_RDONLY = 0;
    private static final int O_DIRECTORY = 0x10000;
    private static final int O_CLOEXEC = 0x80000;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final @Nullable MethodHandle OPEN =
            bind(
                    "open",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final @Nullable MethodHandle SYNCFS =
            bind("syncfs", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle CLOSE =
            bind("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle FSTATFS =
            bind(
                    "fstatfs",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    /// Room for a `struct statfs`, which has 120 bytes where its first field, the type, is a long.
    private static final int STATFS_BYTES = 512;

    private static final long TYPE_MASK = 0xFFFF_FFFFL;

    /// First version of Linux whose `syncfs` reports all that can fail: writing back since 5.8,
    /// what the file system does after that (its journal, the disk's cache) since 5.17.
    private static final int REPORTING_MAJOR = 5;

    private static final int REPORTING_MINOR = 17;

    /// Types of the file systems that write their files to a disk themselves, so that their
    /// `syncfs` covers all files and hears of all failures. One that hands them on to another
    /// (overlayfs, FUSE, 9p, NFS) need not do either.
    private static final Set<Long> RELIABLE_TYPES =
            Set.of(
                    0xEF53L, // ext2, ext3, ext4
                    0x5846_5342L, // xfs
                    0x9123_683EL, // btrfs
                    0xF2F5_2010L); // f2fs

    private NativeSync() {}

    /// Whether the platform has the calls. Binds them when it is asked first.
    static boolean bound() {
        return OPEN != null && SYNCFS != null && CLOSE != null && FSTATFS != null;
    }

    /// Empty when the platform or the file system has no `syncfs` that can be relied on.
    static Optional<FileSystemSync> open(Path directory) throws IOException {
        MethodHandle open = OPEN;
        MethodHandle syncfs = SYNCFS;
        MethodHandle close = CLOSE;
        MethodHandle fstatfs = FSTATFS;
        if (open == null
                || syncfs == null
                || close == null
                || fstatfs == null
                || !reportsFailures(System.getProperty("os.version", ""))) {
            return Optional.empty();
        }
        Descriptor descriptor =
                new Descriptor(directory, openDirectory(open, directory), syncfs, close);
        boolean reliable = false;
        try {
            reliable = isReliable(typeOf(fstatfs, descriptor));
        } finally {
            if (!reliable) {
                descriptor.close();
            }
        }
        return reliable ? Optional.of(descriptor) : Optional.empty();
    }

    static boolean isReliable(long fileSystemType) {
        return RELIABLE_TYPES.contains(fileSystemType & TYPE_MASK);
    }

    private static long typeOf(MethodHandle fstatfs, Descriptor descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment answer = arena.allocate(STATFS_BYTES, Long.BYTES);
            if (call(() -> (int) fstatfs.invokeExact(state, descriptor.number(), answer)) != 0) {
                throw failed("fstatfs", descriptor.directory(), state);
            }
            return answer.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /// The kernel tells each descriptor once of a failure that came after it was opened, so it
    /// stays open.
    private record Descriptor(
            Path directory, int number, MethodHandle syncfsCall, MethodHandle closeCall)
            implements FileSystemSync {
        @Override
        public void sync() throws IOException {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(STATE);
                if (call(() -> (int) syncfsCall.invokeExact(state, number)) != 0) {
                    throw failed("syncfs", directory, state);
                }
            }
        }

        @Override
        public long unwrittenBytes() {
            return UnwrittenPages.bytes();
        }

        @Override
        public void close() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(STATE);
                int ignored = call(() -> (int) closeCall.invokeExact(state, number));
            }
        }
    }

    private static int openDirectory(MethodHandle open, Path directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int descriptor = open(open, arena, state, directory, O_RDONLY | O_DIRECTORY);
            if (descriptor < 0) {
                throw failed("open", directory, state);
            }
            return descriptor;
        }
    }

    private static int open(
            MethodHandle open, Arena arena, MemorySegment state, Path path, int flags) {
        MemorySegment name = arena.allocateFrom(path.toString());
        return call(() -> (int) open.invokeExact(state, name, flags | O_CLOEXEC));
    }

    /// Has the system read a range of a file into its page cache.
    static void readAhead(Path file, long position, long sizeBytes) {
        hint(Hints.ADVISE, file, position, sizeBytes, Hints.WILL_NEED);
    }

    /// Has the system begin to write what is in its page cache of a range of a file. Says nothing
    /// about the disk, and takes no failure away from a sync.
    static void startWriting(Path file, long position, long sizeBytes) {
        hint(Hints.SYNC_RANGE, file, position, sizeBytes, Hints.BEGIN_TO_WRITE);
    }

    /// Java tells nobody the descriptor of its channels; any other of the same file does as well.
    private static void hint(
            @Nullable MethodHandle hint, Path file, long position, long sizeBytes, int kind) {
        MethodHandle open = OPEN;
        MethodHandle close = CLOSE;
        if (hint == null || open == null || close == null) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int number = open(open, arena, state, file, O_RDONLY);
            if (number >= 0) {
                int _ =
                        call(() ->
                                (int) hint.invokeExact(state, number, position, sizeBytes, kind));
                int _ = call(() -> (int) close.invokeExact(state, number));
            }
        }
    }

    /// Bound when they are used first, which a start does not need.
    private static final class Hints {
        static final int WILL_NEED = 3;
        static final int BEGIN_TO_WRITE = 2;

        static final @Nullable MethodHandle ADVISE = ofRange("posix_fadvise");
        static final @Nullable MethodHandle SYNC_RANGE = ofRange("sync_file_range");

        private Hints() {}

        private static @Nullable MethodHandle ofRange(String name) {
            return bind(
                    name,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));
        }
    }

    private interface ForeignCall {
        int run() throws Throwable;
    }

    private static int call(ForeignCall call) {
        try {
            return call.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean reportsFailures(String kernelVersion) {
        Matcher version = VERSION.matcher(kernelVersion);
        if (!version.find()) {
            return false;
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return major > REPORTING_MAJOR || (major == REPORTING_MAJOR && minor >= REPORTING_MINOR);
    }

    private static IOException failed(String call, Path directory, MemorySegment state) {
        return new IOException(
                call + " of " + directory + " failed with errno " + (int) ERRNO.get(state, 0L));
    }

    private static @Nullable MethodHandle bind(
            String name, FunctionDescriptor descriptor, Linker.Option... options) {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        SymbolLookup lookup = linker.defaultLookup();
        Optional<MemorySegment> symbol = lookup.find(name);
        if (symbol.isEmpty()) {
            return null;
        }
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 1, options.length);
        all[0] = Linker.Option.captureCallState("errno");
        return linker.downcallHandle(symbol.get(), descriptor, all);
    }
}
