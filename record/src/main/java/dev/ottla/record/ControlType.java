package dev.ottla.record;

/// What a control record says; the second field of its key.
public enum ControlType {
    ABORT(0),
    COMMIT(1),
    LEADER_CHANGE(2),
    SNAPSHOT_HEADER(3),
    SNAPSHOT_FOOTER(4),
    KRAFT_VERSION(5),
    KRAFT_VOTERS(6),
    /// A type from the future: such records are kept and skipped.
    UNKNOWN(-1);

    private final short id;

    ControlType(int id) {
        this.id = (short) id;
    }

    public short id() {
        return id;
    }

    public static ControlType forId(short id) {
        for (ControlType type : values()) {
            if (type.id == id) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
