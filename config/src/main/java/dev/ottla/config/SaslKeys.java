package dev.ottla.config;

import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.oneOfIgnoringCase;
import static dev.ottla.config.Feature.SASL;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Who a client is. Immutable.
public final class SaslKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "SASL");

    public static final ConfigKey<List<String>> SASL_ENABLED_MECHANISMS =
            KEYS.list("sasl.enabled.mechanisms", List.of("GSSAPI"), MEDIUM)
                    .allowing(entries())
                    .perBroker()
                    .later(SASL)
                    .doc("Ways to log in that a listener accepts.");

    public static final ConfigKey<Password> SASL_JAAS_CONFIG =
            KEYS.password("sasl.jaas.config", MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Login settings of a listener and mechanism.");

    public static final ConfigKey<String> SASL_MECHANISM_INTER_BROKER_PROTOCOL =
            KEYS.string("sasl.mechanism.inter.broker.protocol", "GSSAPI", MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("How brokers log in to each other.");

    public static final ConfigKey<String> SASL_MECHANISM_CONTROLLER_PROTOCOL =
            KEYS.string("sasl.mechanism.controller.protocol", "GSSAPI", HIGH)
                    .later(SASL)
                    .doc("How brokers log in to the quorum.");

    public static final ConfigKey<Integer> SASL_SERVER_MAX_RECEIVE_SIZE =
            KEYS.int32("sasl.server.max.receive.size", 524_288, MEDIUM)
                    .later(SASL)
                    .doc("Largest message during a login.");

    public static final ConfigKey<Long> CONNECTIONS_MAX_REAUTH_MS =
            KEYS.int64("connections.max.reauth.ms", 0, MEDIUM)
                    .later(SASL)
                    .doc("Time after which a client must log in again; 0 never asks.");

    public static final ConfigKey<String> SASL_SERVER_CALLBACK_HANDLER_CLASS =
            KEYS.className("sasl.server.callback.handler.class", MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that checks logins.");

    public static final ConfigKey<String> SASL_CLIENT_CALLBACK_HANDLER_CLASS =
            KEYS.className("sasl.client.callback.handler.class", MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that gives the broker's own login data.");

    public static final ConfigKey<String> SASL_LOGIN_CALLBACK_HANDLER_CLASS =
            KEYS.className("sasl.login.callback.handler.class", MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that gives login data.");

    public static final ConfigKey<String> SASL_LOGIN_CLASS =
            KEYS.className("sasl.login.class", MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that logs in.");

    public static final ConfigKey<Integer> SASL_LOGIN_CONNECT_TIMEOUT_MS =
            KEYS.int32("sasl.login.connect.timeout.ms", LOW)
                    .later(SASL)
                    .doc("Time-out for connecting to an identity provider.");

    public static final ConfigKey<Integer> SASL_LOGIN_READ_TIMEOUT_MS =
            KEYS.int32("sasl.login.read.timeout.ms", LOW)
                    .later(SASL)
                    .doc("Time-out for reading from an identity provider.");

    public static final ConfigKey<Double> SASL_LOGIN_REFRESH_WINDOW_FACTOR =
            KEYS.float64("sasl.login.refresh.window.factor", 0.8, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Share of a token's life after which it is renewed.");

    public static final ConfigKey<Double> SASL_LOGIN_REFRESH_WINDOW_JITTER =
            KEYS.float64("sasl.login.refresh.window.jitter", 0.05, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Random share that is added to that time.");

    public static final ConfigKey<Short> SASL_LOGIN_REFRESH_MIN_PERIOD_SECONDS =
            KEYS.int16("sasl.login.refresh.min.period.seconds", 60, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Shortest time between two renewals of a token.");

    public static final ConfigKey<Short> SASL_LOGIN_REFRESH_BUFFER_SECONDS =
            KEYS.int16("sasl.login.refresh.buffer.seconds", 300, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Time before a token's end by which it should be renewed.");

    public static final ConfigKey<Long> SASL_LOGIN_RETRY_BACKOFF_MS =
            KEYS.int64("sasl.login.retry.backoff.ms", 100, LOW)
                    .later(SASL)
                    .doc("First pause after a failed call of an identity provider.");

    public static final ConfigKey<Long> SASL_LOGIN_RETRY_BACKOFF_MAX_MS =
            KEYS.int64("sasl.login.retry.backoff.max.ms", 10_000, LOW)
                    .later(SASL)
                    .doc("Longest pause after a failed call of an identity provider.");

    public static final ConfigKey<String> SASL_KERBEROS_SERVICE_NAME =
            KEYS.string("sasl.kerberos.service.name", MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Kerberos service under which brokers run.");

    public static final ConfigKey<String> SASL_KERBEROS_KINIT_CMD =
            KEYS.string("sasl.kerberos.kinit.cmd", "/usr/bin/kinit", MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Path of the kinit command.");

    public static final ConfigKey<Double> SASL_KERBEROS_TICKET_RENEW_WINDOW_FACTOR =
            KEYS.float64("sasl.kerberos.ticket.renew.window.factor", 0.8, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Share of a Kerberos ticket's life after which it is renewed.");

    public static final ConfigKey<Double> SASL_KERBEROS_TICKET_RENEW_JITTER =
            KEYS.float64("sasl.kerberos.ticket.renew.jitter", 0.05, MEDIUM)
                    .perBroker()
                    .later(SASL)
                    .doc("Random share that is added to a Kerberos ticket's renewal time.");

    public static final ConfigKey<Long> SASL_KERBEROS_MIN_TIME_BEFORE_RELOGIN =
            KEYS.int64("sasl.kerberos.min.time.before.relogin", 60_000, MEDIUM)
                    .unit(Unit.MS)
                    .perBroker()
                    .later(SASL)
                    .doc("Shortest time between two Kerberos logins.");

    public static final ConfigKey<List<String>> SASL_KERBEROS_PRINCIPAL_TO_LOCAL_RULES =
            KEYS.list("sasl.kerberos.principal.to.local.rules", List.of("DEFAULT"), MEDIUM)
                    .allowing(entries())
                    .perBroker()
                    .later(SASL)
                    .doc("How a user name is made from a Kerberos principal.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_JWKS_ENDPOINT_URL =
            KEYS.string("sasl.oauthbearer.jwks.endpoint.url", MEDIUM)
                    .later(SASL)
                    .doc("Where the keys that sign tokens are published.");

    public static final ConfigKey<Long> SASL_OAUTHBEARER_JWKS_ENDPOINT_REFRESH_MS =
            KEYS.int64("sasl.oauthbearer.jwks.endpoint.refresh.ms", 3_600_000, LOW)
                    .later(SASL)
                    .doc("Pause between two reads of the published keys.");

    public static final ConfigKey<Long> SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MS =
            KEYS.int64("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", 100, LOW)
                    .later(SASL)
                    .doc("First pause after the published keys could not be read.");

    public static final ConfigKey<Long> SASL_OAUTHBEARER_JWKS_ENDPOINT_RETRY_BACKOFF_MAX_MS =
            KEYS.int64("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", 10_000, LOW)
                    .later(SASL)
                    .doc("Longest pause after the published keys could not be read.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL =
            KEYS.string("sasl.oauthbearer.token.endpoint.url", MEDIUM)
                    .later(SASL)
                    .doc("Where the broker gets tokens of its own.");

    public static final ConfigKey<List<String>> SASL_OAUTHBEARER_EXPECTED_AUDIENCE =
            KEYS.list("sasl.oauthbearer.expected.audience", List.of(), HIGH)
                    .allowing(entries())
                    .later(SASL)
                    .doc("Audiences of which a token must name one.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_EXPECTED_ISSUER =
            KEYS.string("sasl.oauthbearer.expected.issuer", HIGH)
                    .later(SASL)
                    .doc("Issuer that a token must name.");

    public static final ConfigKey<Integer> SASL_OAUTHBEARER_CLOCK_SKEW_SECONDS =
            KEYS.int32("sasl.oauthbearer.clock.skew.seconds", 30, LOW)
                    .later(SASL)
                    .doc("How far the clocks of broker and identity provider may differ.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_SCOPE_CLAIM_NAME =
            KEYS.string("sasl.oauthbearer.scope.claim.name", "scope", LOW)
                    .later(SASL)
                    .doc("Claim that holds a token's scope.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_SUB_CLAIM_NAME =
            KEYS.string("sasl.oauthbearer.sub.claim.name", "sub", LOW)
                    .later(SASL)
                    .doc("Claim that holds the user's name.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_SCOPE =
            KEYS.string("sasl.oauthbearer.scope", MEDIUM)
                    .later(SASL)
                    .doc("Scope that the broker asks for in tokens of its own.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_CLIENT_CREDENTIALS_CLIENT_ID =
            KEYS.string("sasl.oauthbearer.client.credentials.client.id", MEDIUM)
                    .later(SASL)
                    .doc("Client id under which the broker gets its own tokens.");

    public static final ConfigKey<Password> SASL_OAUTHBEARER_CLIENT_CREDENTIALS_CLIENT_SECRET =
            KEYS.password("sasl.oauthbearer.client.credentials.client.secret", MEDIUM)
                    .later(SASL)
                    .doc("Secret with which the broker gets its own tokens.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_JWT_RETRIEVER_CLASS =
            KEYS.className(
                            "sasl.oauthbearer.jwt.retriever.class",
                            "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever",
                            MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that fetches tokens.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_JWT_VALIDATOR_CLASS =
            KEYS.className(
                            "sasl.oauthbearer.jwt.validator.class",
                            "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator",
                            MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that checks tokens.");

    public static final ConfigKey<Boolean> SASL_OAUTHBEARER_ALLOW_UNVERIFIED_AUDIENCE =
            KEYS.bool("sasl.oauthbearer.allow.unverified.audience", false, MEDIUM)
                    .later(SASL)
                    .doc("Whether tokens of any audience are taken.");

    public static final ConfigKey<Boolean> SASL_OAUTHBEARER_ALLOW_UNVERIFIED_ISSUER =
            KEYS.bool("sasl.oauthbearer.allow.unverified.issuer", false, MEDIUM)
                    .later(SASL)
                    .doc("Whether tokens of any issuer are taken.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_ALGORITHM =
            KEYS.string("sasl.oauthbearer.assertion.algorithm", "RS256", MEDIUM)
                    .allowing(oneOfIgnoringCase("es256", "rs256"))
                    .later(SASL)
                    .doc("Signature of the assertion that the broker shows for a token.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_CLAIM_AUD =
            KEYS.string("sasl.oauthbearer.assertion.claim.aud", MEDIUM)
                    .later(SASL)
                    .doc("Audience in that assertion.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_CLAIM_ISS =
            KEYS.string("sasl.oauthbearer.assertion.claim.iss", MEDIUM)
                    .later(SASL)
                    .doc("Issuer in that assertion.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_CLAIM_SUB =
            KEYS.string("sasl.oauthbearer.assertion.claim.sub", MEDIUM)
                    .later(SASL)
                    .doc("Subject in that assertion.");

    public static final ConfigKey<Integer> SASL_OAUTHBEARER_ASSERTION_CLAIM_EXP_SECONDS =
            KEYS.int32("sasl.oauthbearer.assertion.claim.exp.seconds", 300, LOW)
                    .allowing(between(0, 86_400))
                    .later(SASL)
                    .doc("How long that assertion is good.");

    public static final ConfigKey<Integer> SASL_OAUTHBEARER_ASSERTION_CLAIM_NBF_SECONDS =
            KEYS.int32("sasl.oauthbearer.assertion.claim.nbf.seconds", 60, LOW)
                    .allowing(between(0, 3600))
                    .later(SASL)
                    .doc("How far that assertion is dated back.");

    public static final ConfigKey<Boolean> SASL_OAUTHBEARER_ASSERTION_CLAIM_JTI_INCLUDE =
            KEYS.bool("sasl.oauthbearer.assertion.claim.jti.include", false, MEDIUM)
                    .later(SASL)
                    .doc("Whether that assertion carries an id of its own.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_FILE =
            KEYS.string("sasl.oauthbearer.assertion.file", MEDIUM)
                    .later(SASL)
                    .doc("File with a ready assertion.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_TEMPLATE_FILE =
            KEYS.string("sasl.oauthbearer.assertion.template.file", MEDIUM)
                    .later(SASL)
                    .doc("File with further claims for the assertion.");

    public static final ConfigKey<String> SASL_OAUTHBEARER_ASSERTION_PRIVATE_KEY_FILE =
            KEYS.string("sasl.oauthbearer.assertion.private.key.file", MEDIUM)
                    .later(SASL)
                    .doc("File with the key that signs the assertion.");

    public static final ConfigKey<Password> SASL_OAUTHBEARER_ASSERTION_PRIVATE_KEY_PASSPHRASE =
            KEYS.password("sasl.oauthbearer.assertion.private.key.passphrase", MEDIUM)
                    .later(SASL)
                    .doc("Password of the key that signs the assertion.");

    private SaslKeys() {}
}
