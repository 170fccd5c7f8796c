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
import org.jspecify.annotations.Nullable;

/// System calls that Java has no name for, through the foreign function API. Linux only; elsewhere
/// each says so. Thread-safe: no state.
@SuppressWarnings("restricted") // The one class that makes foreign calls.
final class NativeSync {
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

    private NativeSync() {}

    /// True when all of the file system under `directory` is durable, false when the platform has
    /// no `syncfs`.
    static boolean syncFileSystem(Path directory) throws IOException {
        if (OPEN == null || SYNCFS == null || CLOSE == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int descriptor =
                    (int)
                            OPEN.invokeExact(
                                    state,
                                    arena.allocateFrom(directory.toString()),
                                    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (descriptor < 0) {
                throw failed("open", directory, state);
            }
            try {
                if ((int) SYNCFS.invokeExact(state, descriptor) != 0) {
                    throw failed("syncfs", directory, state);
                }
            } finally {
                int ignored = (int) CLOSE.invokeExact(state, descriptor);
            }
            return true;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
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
