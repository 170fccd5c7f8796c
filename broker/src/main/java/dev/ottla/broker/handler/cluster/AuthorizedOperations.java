package dev.ottla.broker.handler.cluster;

/// The bit field in which clients are told what they may do (KIP-430): bit n stands for operation
/// n. Without an authorizer everybody may do everything that a resource knows.
public final class AuthorizedOperations {
    /// The client did not ask.
    public static final int NOT_ASKED = Integer.MIN_VALUE;

    private static final int READ = 1 << 3;
    private static final int WRITE = 1 << 4;
    private static final int CREATE = 1 << 5;
    private static final int DELETE = 1 << 6;
    private static final int ALTER = 1 << 7;
    private static final int DESCRIBE = 1 << 8;
    private static final int CLUSTER_ACTION = 1 << 9;
    private static final int DESCRIBE_CONFIGS = 1 << 10;
    private static final int ALTER_CONFIGS = 1 << 11;
    private static final int IDEMPOTENT_WRITE = 1 << 12;

    private static final int ON_TOPIC =
            READ | WRITE | CREATE | DELETE | ALTER | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;
    private static final int ON_GROUP = READ | DELETE | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;
    private static final int ON_CLUSTER =
            CREATE
                    | ALTER
                    | DESCRIBE
                    | CLUSTER_ACTION
                    | DESCRIBE_CONFIGS
                    | ALTER_CONFIGS
                    | IDEMPOTENT_WRITE;

    private AuthorizedOperations() {}

    public static int onTopic(boolean asked) {
        return asked ? ON_TOPIC : NOT_ASKED;
    }

    public static int onGroup(boolean asked) {
        return asked ? ON_GROUP : NOT_ASKED;
    }

    public static int onCluster(boolean asked) {
        return asked ? ON_CLUSTER : NOT_ASKED;
    }
}
