package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Feature.AUTHORIZATION;
import static dev.ottla.config.Feature.DELEGATION_TOKENS;
import static dev.ottla.config.Feature.TLS;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

/// What a client may do. Immutable.
public final class AccessKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Access");

    public static final ConfigKey<String> SECURITY_INTER_BROKER_PROTOCOL =
            KEYS.string("security.inter.broker.protocol", "PLAINTEXT", MEDIUM)
                    .allowing(oneOf("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"))
                    .later(TLS)
                    .doc("Security protocol that brokers use among themselves.");

    public static final ConfigKey<String> SECURITY_PROVIDERS =
            KEYS.string("security.providers", LOW)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Classes that add Java security providers.");

    public static final ConfigKey<String> AUTHORIZER_CLASS_NAME =
            KEYS.string("authorizer.class.name", "", LOW)
                    .later(AUTHORIZATION)
                    .doc(
                            "Which authorizer decides; empty allows everything. Until there is one, a broker that is told to use it does not start.");

    public static final ConfigKey<String> PRINCIPAL_BUILDER_CLASS =
            KEYS.className(
                            "principal.builder.class",
                            "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
                            MEDIUM)
                    .perBroker()
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that makes a user out of a login.");

    public static final ConfigKey<Password> DELEGATION_TOKEN_SECRET_KEY =
            KEYS.password("delegation.token.secret.key", MEDIUM)
                    .later(DELEGATION_TOKENS)
                    .doc("Secret that signs delegation tokens, the same on every broker.");

    public static final ConfigKey<Long> DELEGATION_TOKEN_MAX_LIFETIME_MS =
            KEYS.int64("delegation.token.max.lifetime.ms", 604_800_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(DELEGATION_TOKENS)
                    .doc("Age beyond which a delegation token cannot be renewed.");

    public static final ConfigKey<Long> DELEGATION_TOKEN_EXPIRY_TIME_MS =
            KEYS.int64("delegation.token.expiry.time.ms", 86_400_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(DELEGATION_TOKENS)
                    .doc("How long a delegation token is good unless renewed.");

    public static final ConfigKey<Long> DELEGATION_TOKEN_EXPIRY_CHECK_INTERVAL_MS =
            KEYS.int64("delegation.token.expiry.check.interval.ms", 3_600_000, LOW)
                    .allowing(atLeast(1))
                    .later(DELEGATION_TOKENS)
                    .doc("Pause between two removals of old delegation tokens.");

    private AccessKeys() {}
}
