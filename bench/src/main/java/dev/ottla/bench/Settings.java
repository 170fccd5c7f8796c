package dev.ottla.bench;

import dev.ottla.bench.scenario.Scale;
import dev.ottla.bench.side.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Locale;

/// The head of the page: what ran where, and how.
final class Settings {
    private Settings() {}

    static String describe(Side ottla, Side kafka, Scale scale, int rounds) throws IOException {
        return String.format(
                Locale.ROOT,
                "Last run %s: Linux %s, %d processors, %d GB of memory, JDK %s on both sides, one broker each, factor 1,"
                        + " one of them running at a time; each scenario %d times on each side in turn, in fresh processes"
                        + " after a warm-up that is thrown away%s. Values are medians (least–greatest), without a range"
                        + " where a row was taken once.%n%n- %s%n- %s",
                LocalDate.now(java.time.ZoneOffset.UTC),
                System.getProperty("os.version").replaceAll("-.*", ""),
                Runtime.getRuntime().availableProcessors(),
                memoryGigabytes(),
                Runtime.version(),
                rounds,
                scale == Scale.QUICK ? " (quick: a tenth of the load, cold code)" : "",
                ottla.settings(),
                kafka.settings());
    }

    private static long memoryGigabytes() throws IOException {
        String first = Files.readString(Path.of("/proc/meminfo")).lines().findFirst().orElse("0");
        return Math.round(Long.parseLong(first.replaceAll("[^0-9]", "")) / 1024.0 / 1024.0);
    }
}
