package dev.ottla.acceptance;

import dev.ottla.testkit.BrokerProcess;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// One broker process for all classes with this extension, started by the first and ended with the
/// test run. A test method or constructor with a [Clients] parameter gets clients of that broker;
/// they are closed after the test.
///
/// `OTTLA_BOOTSTRAP` points the cases at a broker that already runs.
final class SharedBroker implements BeforeAllCallback, ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(SharedBroker.class);

    /// Quick groups, so that cases about groups take no longer than they must.
    private static final BrokerProcess.Options OPTIONS =
            BrokerProcess.Options.of(
                            "group.initial.rebalance.delay.ms=0",
                            "group.min.session.timeout.ms=1000",
                            "group.consumer.min.session.timeout.ms=1000",
                            "group.consumer.min.heartbeat.interval.ms=300",
                            "group.consumer.heartbeat.interval.ms=300",
                            "offsets.topic.num.partitions=8")
                    .withJvm("-Xmx512m");

    record Running(@Nullable BrokerProcess process, String bootstrap) implements AutoCloseable {
        @Override
        public void close() {
            if (process != null) {
                process.close();
            }
        }
    }

    private static Running start() {
        String external = System.getenv("OTTLA_BOOTSTRAP");
        if (external != null) {
            return new Running(null, external);
        }
        BrokerProcess process = BrokerProcess.start(OPTIONS);
        return new Running(process, process.bootstrap());
    }

    private static Running running(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent("running", key -> start(), Running.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Clients.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Running running = running(context);
        Clients clients =
                new Clients(
                        running.bootstrap(),
                        Optional.ofNullable(running.process()).map(BrokerProcess::dataDir));
        context.getStore(NAMESPACE).put("clients", clients);
        return clients;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Clients clients = context.getStore(NAMESPACE).remove("clients", Clients.class);
        if (clients != null) {
            clients.close();
        }
    }
}
