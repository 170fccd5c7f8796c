package dev.ottla.broker.server;

import dev.ottla.broker.controlling.Delays;
import dev.ottla.broker.quorum.MetadataServer;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.controller.Controller;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.ImageListener;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.wire.Uuid;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata thread and the service on it. The wiring's thread waits for what it asks here;
/// nobody else may.
final class MetadataRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataRuntime.class);
    private static final long PATIENCE_SECONDS = 60;
    private static final long TELL_MS = 10_000;

    /// What comes after the end, such as the progress of a last sync, concerns nobody any more.
    private final ExecutorService thread =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Threads.named("metadata"),
                    new ThreadPoolExecutor.DiscardPolicy());

    private final MetadataService service;
    private final MetadataEngine engine;
    private final MetadataLog log;
    private final MetadataServer server;
    private final InstantSource clock;
    private final Delays delays;
    private final int nodeId;

    /// @param newEngine gets this runtime, whose threads it may use
    MetadataRuntime(
            Function<MetadataRuntime, MetadataEngine> newEngine,
            ControllerSettings settings,
            int nodeId,
            Delays delays,
            InstantSource clock) {
        this.nodeId = nodeId;
        this.delays = delays;
        this.clock = clock;
        engine = newEngine.apply(this);
        log = engine.log();
        service = new MetadataService(log, thread, settings);
        server = new MetadataServer(thread, this::newFeed, log::quorum);
    }

    private MetadataFeed newFeed() {
        return new MetadataFeed(nodeId, log, engine.store(), this::after, clock);
    }

    /// Runs a task on the metadata thread after a while. On any thread.
    void after(long delayMs, Runnable task) {
        delays.after(delayMs, () -> thread.execute(task));
    }

    /// Hands the metadata log to other nodes.
    MetadataServer server() {
        return server;
    }

    MetadataService service() {
        return service;
    }

    /// Runs one task at a time, in order.
    ExecutorService thread() {
        return thread;
    }

    /// Reads the metadata log; afterwards the image is there.
    void start() {
        await(CompletableFuture.runAsync(service::start, thread));
    }

    /// Waits until everything is here that the cluster has committed, and says from time to time
    /// why it waits.
    ///
    /// @param whom the nodes to join
    /// @param patienceMs for a node that never was part of the cluster; any other one waits however
    ///   long it takes
    void awaitCaughtUp(String whom, OptionalLong patienceMs) {
        long beganNs = System.nanoTime();
        while (true) {
            long leftMs =
                    patienceMs.orElse(Long.MAX_VALUE)
                            - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            if (isCaughtUp(Math.min(TELL_MS, leftMs))) return;
            String why = sentence(engine.trouble().get().orElse("nobody answers"));
            if (leftMs <= TELL_MS) {
                throw new StartRefusedException(
                        "node %d did not get into the cluster of %s within %d ms. %s Check --join (controller.quorum.bootstrap.servers): it names nodes of the cluster that run. Only the first node of a new cluster is started without it. If they run, './ottla cluster status --bootstrap HOST:PORT' says whether they have a controller, and what helps if not."
                                .formatted(nodeId, whom, patienceMs.orElse(0), why));
            }
            LOG.warn(
                    "Node {} still waits for the cluster of {}. {} If the addresses are right and nodes of the cluster run there, './ottla cluster status --bootstrap HOST:PORT' of one of them says whether they have a controller, and what helps if not.",
                    nodeId,
                    whom,
                    why);
        }
    }

    private static String sentence(String reason) {
        String begun = Character.toUpperCase(reason.charAt(0)) + reason.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }

    private boolean isCaughtUp(long withinMs) {
        try {
            engine.caughtUp().get(Math.max(0, withinMs), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartRefusedException(String.valueOf(cause.getMessage()), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefusedException("the start was interrupted", e);
        }
    }

    /// Waits until the image has what was committed up to `offset`.
    ///
    /// @param forEver whether that may take however long it takes
    /// @param meanwhile done on the metadata thread now and then while it does
    void awaitImage(long offset, boolean forEver, Runnable meanwhile) {
        CompletableFuture<Void> there = new CompletableFuture<>();
        thread.execute(() ->
                service.addListener((_, image) -> {
                    if (image.version().offset() >= offset) {
                        there.complete(null);
                    }
                }));
        while (forEver && !isDone(there)) {
            LOG.warn(
                    "Node {} is registered and serves nothing yet: it waits for what its cluster has committed, up to offset {}.",
                    nodeId,
                    offset);
            thread.execute(meanwhile);
        }
        await(there);
    }

    private static boolean isDone(CompletableFuture<Void> future) {
        try {
            future.get(TELL_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// The cluster that the metadata is of. The records that say so may just be on their way to the
    /// disk.
    Optional<Uuid> clusterId() {
        return await(
                CompletableFuture.supplyAsync(service::isLeader, thread)
                        .thenCompose(leads ->
                                leads
                                        ? service.submit(controller ->
                                                Outcome.unchanged(controller.image().clusterId()))
                                        : CompletableFuture.completedFuture(
                                                service.image().clusterId())));
    }

    /// `listener` hears of every change after the image that is returned.
    ClusterImage listen(Function<ClusterImage, ImageListener> listener) {
        return await(
                CompletableFuture.supplyAsync(
                        () -> {
                            ClusterImage image = service.image();
                            ImageListener made = listener.apply(image);
                            service.addListener((delta, newImage) -> {
                                if (newImage.version().offset() > image.version().offset()) {
                                    made.onImage(delta, newImage);
                                }
                            });
                            return image;
                        },
                        thread));
    }

    /// Runs a command and waits for its reply.
    <R> R command(Function<Controller, Outcome<R>> command) {
        return await(service.submit(command));
    }

    /// Lets the log do what it does from time to time.
    void sweep() {
        thread.execute(log::sweep);
    }

    /// Stops the service and its log; when this returns, the log's directory may be closed.
    void close() {
        CompletableFuture<Void> logClosed = new CompletableFuture<>();
        try {
            thread.execute(() -> log.close(() -> logClosed.complete(null)));
            await(logClosed);
            await(CompletableFuture.runAsync(service::close, thread));
        } catch (StartRefusedException e) {
            LOG.error("The metadata log could not be closed in order.", e);
        }
        thread.shutdown();
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartRefusedException(
                    "the cluster's metadata cannot be used: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new StartRefusedException(
                    "the cluster's metadata did not answer within " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefusedException("the start was interrupted", e);
        }
    }
}
