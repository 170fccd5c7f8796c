package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.utils.internals.Exit;
import org.jspecify.annotations.Nullable;

/// The other side of [KafkaTools]: reads a command, runs the tool's `main` with its own input and
/// output, sends back what it printed. A tool that wants to end the JVM ends only itself.
final class KafkaToolsMain {
    private static final int TOOL_DEADLINE_MS = 60_000;
    private static final int LATE = 124;

    private KafkaToolsMain() {}

    /// What the tool that runs wants to be done at its end.
    private static final Queue<Runnable> HOOKS = new ConcurrentLinkedQueue<>();

    /// The code of the first wish to exit of the tool that runs. Written by the tool's threads,
    /// read by the main one.
    private static volatile CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (InputStream in = new FileInputStream(FileDescriptor.in);
                DataInputStream commands = new DataInputStream(in);
                FileOutputStream out = new FileOutputStream(FileDescriptor.out);
                DataOutputStream results = new DataOutputStream(out)) {
            Exit.setExitProcedure(KafkaToolsMain::exit);
            Exit.setHaltProcedure(KafkaToolsMain::exit);
            Exit.setShutdownHookAdder((name, hook) -> HOOKS.add(hook));
            while (true) {
                String tool = commands.readUTF();
                String[] toolArguments = new String[commands.readInt()];
                for (int i = 0; i < toolArguments.length; i++) {
                    toolArguments[i] = commands.readUTF();
                }
                byte[] input = new byte[commands.readInt()];
                commands.readFully(input);
                run(tool, toolArguments, input, results);
            }
        } catch (EOFException e) {
            // The test run is over.
            Runtime.getRuntime().halt(0);
        }
    }

    private static void run(String tool, String[] arguments, byte[] input, DataOutputStream results)
            throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, UTF_8));
        System.setErr(new PrintStream(err, true, UTF_8));
        System.setIn(new ByteArrayInputStream(input));
        CompletableFuture<Integer> code = new CompletableFuture<>();
        exitCode = code;
        Thread thread = new Thread(() -> call(tool, arguments), "tool");
        thread.setDaemon(true);
        thread.start();
        thread.join(TOOL_DEADLINE_MS);
        for (Runnable hook = HOOKS.poll(); hook != null; hook = HOOKS.poll()) {
            hook.run();
        }
        results.writeInt(code.getNow(thread.isAlive() ? LATE : 0));
        for (ByteArrayOutputStream printed : new ByteArrayOutputStream[] {out, err}) {
            byte[] bytes = printed.toByteArray();
            results.writeInt(bytes.length);
            results.write(bytes);
        }
        results.flush();
    }

    private static void call(String tool, String[] arguments) {
        try {
            ToolLoader loader = new ToolLoader();
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> type = loader.loadClass(tool);
            type.getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            if (exitCode.complete(1)) {
                System.err.println(e.getCause());
            }
        } catch (ReflectiveOperationException e) {
            exitCode.complete(1);
            System.err.println(e);
        }
    }

    /// Loads the classes of a tool anew, since the tools keep state in static fields.
    private static final class ToolLoader extends ClassLoader {
        ToolLoader() {
            super(KafkaToolsMain.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.kafka.tools.")
                    || name.startsWith("org.apache.kafka.tools.api.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /// Must not return. What a tool prints when it catches this exception is not the tool's word
    /// any more.
    private static void exit(int code, @Nullable String message) {
        if (message != null) {
            System.err.println(message);
        }
        exitCode.complete(code);
        System.out.flush();
        System.err.flush();
        PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        System.setOut(nothing);
        System.setErr(nothing);
        throw new IllegalStateException("exit " + code);
    }
}
