package dev.ottla.chaos.node;

import dev.ottla.broker.server.Host;
import dev.ottla.log.disk.FileDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;

/// The main class of a node that can be broken from inside: the `ottla` command on a host that
/// obeys the lines on standard input.
///
/// | line | from now on |
/// |---|---|
/// | `lose-power SEED` | the process is gone, and of what was not synced only what chance leaves |
/// | `lose-power` | the process is gone, and all that was not synced |
/// | `fail-writes`, `fail-syncs` | writes or syncs fail |
/// | `slow-writes MS`, `slow-syncs MS` | each takes so long |
/// | `behave` | the disk works again |
/// | `step-clock MS` | the time of day is ahead by so much |
///
/// The directory for files without a name is the system property `ottla.chaos.aside`.
public final class FaultyNode {
    /// The exit code of a process whose power went.
    static final int EXIT_WITHOUT_POWER = 99;

    private final LosableDisk losable;
    private final UnrulyDisk unruly;
    private final SteppedClock clock = new SteppedClock(InstantSource.system());

    private FaultyNode(Path aside) throws IOException {
        losable = new LosableDisk(new FileDisk(), aside);
        unruly = new UnrulyDisk(losable);
    }

    public static void main(String[] arguments) throws Exception {
        String aside = System.getProperty("ottla.chaos.aside", "");
        FaultyNode node = new FaultyNode(Path.of(aside));
        Thread orders = new Thread(node::obey, "orders");
        orders.setDaemon(true);
        orders.start();
        // Nothing is compiled against the command, which is the top of everything.
        Class.forName("dev.ottla.cli.Main")
                .getMethod("run", String[].class, Host.class)
                .invoke(null, arguments, new Host(node.unruly, node.clock));
    }

    private void obey() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                obey(line.split(" ", -1));
            }
        } catch (IOException e) {
            throw new IllegalStateException("no more orders can be read", e);
        }
    }

    private void obey(String[] words) throws IOException {
        switch (words[0]) {
            case "lose-power" -> losePower(words);
            case "fail-writes" -> unruly.failWrites();
            case "fail-syncs" -> unruly.failSyncs();
            case "slow-writes" ->
                    unruly.slowWrites(Long.parseLong(words[1]), words.length > 2 ? words[2] : "");
            case "slow-syncs" -> unruly.slowSyncs(Long.parseLong(words[1]));
            case "behave" -> unruly.behave();
            case "step-clock" -> clock.step(Long.parseLong(words[1]));
            default -> throw new IllegalArgumentException("no such order: " + words[0]);
        }
    }

    /// Halts whatever happens: a disk that cannot be undone must not go on.
    private void losePower(String[] words) throws IOException {
        int exitCode = 1;
        try {
            if (words.length == 1) {
                losable.losePower(Survival.NOTHING, new Random(0));
            } else {
                losable.losePower(Survival.SOME, new Random(Long.parseLong(words[1])));
            }
            exitCode = EXIT_WITHOUT_POWER;
        } catch (IOException | RuntimeException e) {
            System.err.println("What was not synced could not be taken back: " + e);
            e.printStackTrace();
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }
}
