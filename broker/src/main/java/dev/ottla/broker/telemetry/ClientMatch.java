package dev.ottla.broker.telemetry;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.ottla.config.ClientPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which clients a subscription means: those that all of its patterns match, from beginning to end;
/// everyone when it has none. Immutable.
final class ClientMatch {
    /// Clients choose what they are called, and it is matched on a shard.
    private static final int MAX_TEXT_CHARS = 1024;

    private record Term(Selector selector, Pattern pattern) {
        boolean matches(TelemetryClient client) {
            String text = selector.of(client);
            return text.length() <= MAX_TEXT_CHARS && pattern.matches(text);
        }
    }

    private enum Selector {
        CLIENT_INSTANCE_ID("client_instance_id") {
            @Override
            String of(TelemetryClient client) {
                return client.instanceId().toString();
            }
        },
        CLIENT_ID("client_id") {
            @Override
            String of(TelemetryClient client) {
                return client.clientId();
            }
        },
        CLIENT_SOFTWARE_NAME("client_software_name") {
            @Override
            String of(TelemetryClient client) {
                return client.softwareName();
            }
        },
        CLIENT_SOFTWARE_VERSION("client_software_version") {
            @Override
            String of(TelemetryClient client) {
                return client.softwareVersion();
            }
        },
        CLIENT_SOURCE_ADDRESS("client_source_address") {
            @Override
            String of(TelemetryClient client) {
                return client.sourceAddress();
            }
        },
        CLIENT_SOURCE_PORT("client_source_port") {
            @Override
            String of(TelemetryClient client) {
                return Integer.toString(client.sourcePort());
            }
        };

        private final String word;

        Selector(String word) {
            this.word = word;
        }

        abstract String of(TelemetryClient client);

        static Optional<Selector> named(String word) {
            for (Selector selector : values()) {
                if (selector.word.equals(word)) {
                    return Optional.of(selector);
                }
            }
            return Optional.empty();
        }
    }

    private final List<Term> terms;

    private ClientMatch(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /// Reads `selector=regular expression` terms; empty when one cannot be read. The key's own
    /// check keeps such terms out, so they can only come from a broker that knows more selectors.
    static Optional<ClientMatch> parse(List<String> texts) {
        List<Term> terms = new ArrayList<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            Optional<Selector> selector =
                    equals < 0
                            ? Optional.empty()
                            : Selector.named(text.substring(0, equals).strip());
            if (selector.isEmpty()) {
                return Optional.empty();
            }
            try {
                terms.add(
                        new Term(
                                selector.get(),
                                ClientPattern.compile(text.substring(equals + 1).strip())));
            } catch (PatternSyntaxException _) {
                return Optional.empty();
            }
        }
        return Optional.of(new ClientMatch(terms));
    }

    boolean matches(TelemetryClient client) {
        for (Term term : terms) {
            if (!term.matches(client)) {
                return false;
            }
        }
        return true;
    }
}
