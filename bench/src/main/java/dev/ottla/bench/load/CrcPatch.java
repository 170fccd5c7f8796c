package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

import java.util.zip.CRC32C;

/// Keeps the CRC-32C of a block right while a few of its bytes change, at the cost of one table
/// look-up a byte, whatever the size of the block. Immutable.
///
/// A CRC is linear: for blocks of one length, `crc(a) ^ crc(b) = crc(a ^ b) ^ crc(zeros)`. So each
/// changed bit adds a constant that depends on its distance from the end alone.
final class CrcPatch {
    private final int[][] contributions;

    /// For a field of `fieldBytes` at `fieldAt` in a block of `blockBytes`.
    CrcPatch(int blockBytes, int fieldAt, int fieldBytes) {
        check(
                fieldAt >= 0 && fieldAt + fieldBytes <= blockBytes,
                "a field at %d of %d bytes is not inside %d bytes",
                fieldAt,
                fieldBytes,
                blockBytes);
        byte[] block = new byte[blockBytes];
        int zeros = crc(block);
        contributions = new int[fieldBytes][256];
        for (int at = 0; at < fieldBytes; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                block[fieldAt + at] = (byte) bit;
                contributions[at][bit] = crc(block) ^ zeros;
            }
            block[fieldAt + at] = 0;
            for (int value = 1; value < 256; value++) {
                int lowest = Integer.lowestOneBit(value);
                contributions[at][value] =
                        contributions[at][lowest] ^ contributions[at][value ^ lowest];
            }
        }
    }

    /// What to combine the CRC with, by exclusive or, when the eight bytes at `at` of the field
    /// change by `difference` (old value xor new value, big-endian).
    int contribution(int at, long difference) {
        int sum = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            int changed = (int) (difference >>> (56 - 8 * i)) & 0xff;
            sum ^= contributions[at + i][changed];
        }
        return sum;
    }

    private static int crc(byte[] block) {
        CRC32C crc = new CRC32C();
        crc.update(block);
        return (int) crc.getValue();
    }
}
