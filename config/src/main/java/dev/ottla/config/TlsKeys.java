package dev.ottla.config;

import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Feature.TLS;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Encrypted listeners. Immutable.
public final class TlsKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "TLS");

    public static final ConfigKey<String> SSL_KEYSTORE_LOCATION =
            KEYS.string("ssl.keystore.location", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("File with the broker's certificate and key.");

    public static final ConfigKey<String> SSL_KEYSTORE_TYPE =
            KEYS.string("ssl.keystore.type", "JKS", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("Format of that file.");

    public static final ConfigKey<Password> SSL_KEYSTORE_PASSWORD =
            KEYS.password("ssl.keystore.password", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("Password of that file.");

    public static final ConfigKey<Password> SSL_KEYSTORE_KEY =
            KEYS.password("ssl.keystore.key", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("The broker's private key itself, in PEM.");

    public static final ConfigKey<Password> SSL_KEYSTORE_CERTIFICATE_CHAIN =
            KEYS.password("ssl.keystore.certificate.chain", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("The broker's certificate chain itself, in PEM.");

    public static final ConfigKey<Password> SSL_KEY_PASSWORD =
            KEYS.password("ssl.key.password", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("Password of the private key.");

    public static final ConfigKey<String> SSL_TRUSTSTORE_LOCATION =
            KEYS.string("ssl.truststore.location", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("File with the certificates that are trusted.");

    public static final ConfigKey<String> SSL_TRUSTSTORE_TYPE =
            KEYS.string("ssl.truststore.type", "JKS", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("Format of the file of trusted certificates.");

    public static final ConfigKey<Password> SSL_TRUSTSTORE_PASSWORD =
            KEYS.password("ssl.truststore.password", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("Password of the file of trusted certificates.");

    public static final ConfigKey<Password> SSL_TRUSTSTORE_CERTIFICATES =
            KEYS.password("ssl.truststore.certificates", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("The trusted certificates themselves, in PEM.");

    public static final ConfigKey<String> SSL_CLIENT_AUTH =
            KEYS.string("ssl.client.auth", "none", MEDIUM)
                    .allowing(oneOf("required", "requested", "none"))
                    .perBroker()
                    .later(TLS)
                    .doc("Whether clients must, may or need not show a certificate.");

    public static final ConfigKey<List<String>> SSL_ENABLED_PROTOCOLS =
            KEYS.list("ssl.enabled.protocols", List.of("TLSv1.2", "TLSv1.3"), MEDIUM)
                    .allowing(entries())
                    .perBroker()
                    .later(TLS)
                    .doc("TLS versions that are accepted.");

    public static final ConfigKey<String> SSL_PROTOCOL =
            KEYS.string("ssl.protocol", "TLSv1.3", MEDIUM)
                    .perBroker()
                    .later(TLS)
                    .doc("TLS version that this broker offers first.");

    public static final ConfigKey<List<String>> SSL_CIPHER_SUITES =
            KEYS.list("ssl.cipher.suites", List.of(), MEDIUM)
                    .allowing(entries())
                    .perBroker()
                    .later(TLS)
                    .doc("Cipher suites that are accepted; empty leaves it to the TLS library.");

    public static final ConfigKey<String> SSL_ENDPOINT_IDENTIFICATION_ALGORITHM =
            KEYS.string("ssl.endpoint.identification.algorithm", "https", LOW)
                    .perBroker()
                    .later(TLS)
                    .doc(
                            "How the name in another broker's certificate is checked; empty switches it off.");

    public static final ConfigKey<String> SSL_PRINCIPAL_MAPPING_RULES =
            KEYS.string("ssl.principal.mapping.rules", "DEFAULT", LOW)
                    .later(TLS)
                    .doc("How a user name is made from the name in a certificate.");

    public static final ConfigKey<Boolean> SSL_ALLOW_DN_CHANGES =
            KEYS.bool("ssl.allow.dn.changes", false, LOW)
                    .later(TLS)
                    .doc("Whether a new certificate may carry another distinguished name.");

    public static final ConfigKey<Boolean> SSL_ALLOW_SAN_CHANGES =
            KEYS.bool("ssl.allow.san.changes", false, LOW)
                    .later(TLS)
                    .doc("Whether a new certificate may drop alternative names.");

    public static final ConfigKey<String> SSL_PROVIDER =
            KEYS.string("ssl.provider", MEDIUM)
                    .perBroker()
                    .noEffect(Reasons.BORINGSSL)
                    .doc("Java security provider for TLS.");

    public static final ConfigKey<String> SSL_SECURE_RANDOM_IMPLEMENTATION =
            KEYS.string("ssl.secure.random.implementation", LOW)
                    .perBroker()
                    .noEffect(Reasons.BORINGSSL)
                    .doc("Java source of random numbers for TLS.");

    public static final ConfigKey<String> SSL_KEYMANAGER_ALGORITHM =
            KEYS.string("ssl.keymanager.algorithm", "SunX509", MEDIUM)
                    .perBroker()
                    .noEffect(Reasons.BORINGSSL)
                    .doc("Java key manager.");

    public static final ConfigKey<String> SSL_TRUSTMANAGER_ALGORITHM =
            KEYS.string("ssl.trustmanager.algorithm", "PKIX", MEDIUM)
                    .perBroker()
                    .noEffect(Reasons.BORINGSSL)
                    .doc("Java trust manager.");

    public static final ConfigKey<String> SSL_ENGINE_FACTORY_CLASS =
            KEYS.className("ssl.engine.factory.class", LOW)
                    .perBroker()
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that makes TLS engines.");

    private TlsKeys() {}
}
