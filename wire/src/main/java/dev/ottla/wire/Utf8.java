package dev.ottla.wire;

import java.nio.ByteBuffer;

/// UTF-8 without temporary arrays. A surrogate without its partner becomes `?`, as with
/// `String.getBytes`.
public final class Utf8 {
    private Utf8() {}

    /// The number of bytes that [#encode] writes.
    public static int length(String text) {
        int chars = text.length();
        int bytes = chars;
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c < 0x80) continue;
            if (c < 0x800) {
                bytes++;
            } else if (!Character.isSurrogate(c)) {
                bytes += 2;
            } else if (isPair(text, i)) {
                bytes += 2; // Two chars, four bytes.
                i++;
            }
        }
        return bytes;
    }

    /// Writes at the buffer's position and moves it.
    public static void encode(String text, ByteBuffer target) {
        for (int i = 0, chars = text.length(); i < chars; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target.put((byte) c);
            } else if (c < 0x800) {
                target.put((byte) (0xc0 | (c >> 6))).put((byte) (0x80 | (c & 0x3f)));
            } else if (!Character.isSurrogate(c)) {
                target.put((byte) (0xe0 | (c >> 12)))
                        .put((byte) (0x80 | ((c >> 6) & 0x3f)))
                        .put((byte) (0x80 | (c & 0x3f)));
            } else if (isPair(text, i)) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                target.put((byte) (0xf0 | (point >> 18)))
                        .put((byte) (0x80 | ((point >> 12) & 0x3f)))
                        .put((byte) (0x80 | ((point >> 6) & 0x3f)))
                        .put((byte) (0x80 | (point & 0x3f)));
            } else {
                target.put((byte) '?');
            }
        }
    }

    private static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }
}
