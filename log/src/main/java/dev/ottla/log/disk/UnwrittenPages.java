package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the operating system holds in memory for files and has not written yet, of all programs and
/// file systems.
///
///     Dirty:              1234 kB     two lines among others of /proc/meminfo: not begun,
///     Writeback:            56 kB     and under way
///
/// Source: proc_meminfo(5).
final class UnwrittenPages {
    private static final Path SOURCE = Path.of("/proc/meminfo");

    private UnwrittenPages() {}

    /// 0 when it cannot be told.
    static long bytes() {
        try {
            String text = new String(Files.readAllBytes(SOURCE), StandardCharsets.US_ASCII);
            return bytes(text, "Dirty:") + bytes(text, "Writeback:");
        } catch (IOException _) {
            return 0;
        }
    }

    /// The value of one line; 0 without such a line.
    static long bytes(String text, String key) {
        int at = text.indexOf("\n" + key);
        if (at < 0) {
            return 0;
        }
        at += 1 + key.length();
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        long kibibytes = 0;
        while (at < text.length() && Character.isDigit(text.charAt(at)) && kibibytes < 1L << 40) {
            kibibytes = 10 * kibibytes + Character.digit(text.charAt(at), 10);
            at++;
        }
        return kibibytes << 10;
    }
}
