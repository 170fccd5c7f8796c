package dev.ottla.record;

/// Gathers what is written into blocks of one size; the last may be shorter.
abstract class BlockEncoder extends Encoder {
    private final byte[] block;
    private int filled;

    BlockEncoder(GrowableBytes target, int blockBytes) {
        super(target);
        block = new byte[blockBytes];
    }

    /// Appends one block, compressed.
    abstract void writeBlock(byte[] source, int offset, int length);

    @Override
    final void write(byte[] source, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (filled == 0 && end - at >= block.length) {
                writeBlock(source, at, block.length);
                at += block.length;
            } else {
                int copied = Math.min(block.length - filled, end - at);
                System.arraycopy(source, at, block, filled, copied);
                filled += copied;
                at += copied;
                if (filled == block.length) {
                    writeFilled();
                }
            }
        }
    }

    @Override
    void finish() {
        if (filled > 0) {
            writeFilled();
        }
    }

    private void writeFilled() {
        writeBlock(block, 0, filled);
        filled = 0;
    }
}
