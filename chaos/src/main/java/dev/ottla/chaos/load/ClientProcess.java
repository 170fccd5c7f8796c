package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.EventLog;
import dev.ottla.chaos.history.Lines;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// The main class of a process with a writer and a member of each group, which is killed or stands
/// still as a whole. On SIGTERM it waits for all answers and leaves its groups.
///
/// Arguments: bootstrap, which process it is (from 1), the writer's number, records a second, the
/// manners of members of groups.
final class ClientProcess {
    /// Numbers of questions that are left to each process.
    private static final long CALLS = 1_000_000_000L;

    private ClientProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        String bootstrap = arguments[0];
        int number = Integer.parseInt(arguments[1]);
        PrintStream out = System.out;
        System.setOut(System.err);
        EventLog log = new Remote(System.in, out);
        List<String> topics = Topics.names().stream().sorted().toList();
        Writer writer =
                new Writer(
                        Integer.parseInt(arguments[2]),
                        topics.get(number % topics.size()),
                        bootstrap,
                        Integer.parseInt(arguments[3]),
                        log);
        AtomicLong calls = new AtomicLong(number * CALLS);
        List<GroupMember> members = new ArrayList<>();
        GroupManners manners = new GroupManners(Integer.parseInt(arguments[4]), arguments[5]);
        for (GroupMember.Group group : Load.groups(manners)) {
            members.add(new GroupMember(group, 100 + number, bootstrap, log, calls));
        }
        List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(writer, "writer"));
        members.forEach(member -> threads.add(new Thread(member, "member")));
        threads.forEach(Thread::start);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            writer.stop();
                            members.forEach(GroupMember::stop);
                            threads.forEach(ClientProcess::join);
                        }));
        Thread.currentThread().join();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lines on standard output, each answered with a byte on standard input when it has its place
    /// in the history: until then nothing is sent that it announces. Thread-safe: guarded by its
    /// monitor.
    private static final class Remote implements EventLog {
        private final InputStream in;
        private final PrintStream out;

        Remote(InputStream in, PrintStream out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public synchronized void add(Event event) {
            byte[] line = (Lines.write(0, event) + "\n").getBytes(StandardCharsets.UTF_8);
            out.write(line, 0, line.length);
            out.flush();
            try {
                if (in.read() < 0) {
                    Runtime.getRuntime().halt(1); // Nobody keeps the history any more.
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
