package io.belay.etcd;

import io.belay.node.Capacity;
import io.belay.node.DelayedTasks;
import io.belay.node.Node;
import io.belay.node.Nodes;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client's connection to etcd, and the words for its failures. */
final class Connection implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The least time limit of the first answer: a process that has just been started has all to load. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    /** The step from one epoch to the next: a revision stays far below that. */
    private static final long EPOCH = 1L << 40;

    private final Client client;
    private final Runnable hangUp;
    /** Connects to one member alone, by its address, where there are several; empty otherwise. */
    private final List<Supplier<Connection>> members;

    private final EtcdFailures failures;
    private final Duration timeout;
    private final int epoch;
    private final DelayedTasks overdue;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Makes a connection.
     *
     * @param hangUp ends what the client uses beside its own
     */
    Connection(Client client, Runnable hangUp, EtcdUrl url) {
        this(client, hangUp, url, List.of());
    }

    Connection(Client client, Runnable hangUp, EtcdUrl url, List<Supplier<Connection>> members) {
        this.client = client;
        this.hangUp = hangUp;
        this.members = members;
        failures = new EtcdFailures(url);
        timeout = url.timeout();
        overdue = new DelayedTasks("belay-etcd-overdue", timeout.toMillis());
        epoch = url.tokenEpoch();
    }

    Duration timeout() {
        return timeout;
    }

    Client client() {
        return client;
    }

    /** Returns the reply, or its failure in words for users; no reply in time is a failure, too. */
    <T> CompletionStage<T> told(CompletableFuture<T> reply) {
        CompletableFuture<T> told = new CompletableFuture<>();
        // What is done later is kept for the whole timeout, and would keep the answer for as long.
        AtomicReference<@Nullable CompletableFuture<T>> open = new AtomicReference<>(told);
        reply.whenComplete((result, error) -> {
            if (error == null) {
                told.complete(result);
            } else {
                told.completeExceptionally(failures.of(error));
            }
            open.set(null);
        });
        if (!told.isDone()) {
            overdue.run(() -> {
                CompletableFuture<T> late = open.get();
                if (late != null) {
                    late.completeExceptionally(failures.of(new TimeoutException()));
                }
            });
        }
        return told;
    }

    Nodes.Watch watch(KeyWatch watch) {
        try {
            watch.begin(client.getWatchClient());
        } catch (RuntimeException e) {
            LOG.debug("Nothing can be watched now; the claim asks again soon", e);
        }
        return watch;
    }

    /** Returns the revision as tokens are made of it: above all of earlier epochs. */
    long lift(long revision) {
        return revision + epoch * EPOCH;
    }

    /** Passes over a key that is none of a claim, with a warning at the first one. */
    Optional<Node> foreign(String key) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn("etcd has a key beside those of claims, and it is passed over: {}", key);
        }
        return Optional.empty();
    }

    Capacity capacity(KeyValue found) {
        return Capacity.parse(found.getValue().toString(StandardCharsets.UTF_8), found.getModRevision())
                .orElseThrow(() -> failures.unusable("has a capacity that Belay has not written: delete its key"));
    }

    /** Reads a key, and so finds out whether etcd answers, and lets this client read. Blocks until it has answered. */
    GetResponse first(ByteSequence key) {
        CompletableFuture<GetResponse> reply = client.getKVClient().get(key);
        try {
            GetResponse first = reply.orTimeout(first(timeout).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            failures.trust();
            return first;
        } catch (RuntimeException e) {
            if (EtcdFailures.isDistrust(e)) {
                refuseAll(key);
            }
            throw failures.of(e);
        }
    }

    /** Fails for good if none of the members can be had by TLS; else the others are only away. */
    private void refuseAll(ByteSequence key) {
        StoreException refusal = null;
        for (Supplier<Connection> member : members) {
            try (Connection one = member.get()) {
                one.first(key);
                return;
            } catch (StoreException e) {
                if (e.isTemporary()) {
                    return;
                }
                refusal = e;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Returns for how long the first answer is waited for. */
    static Duration first(Duration timeout) {
        return timeout.compareTo(FIRST) < 0 ? FIRST : timeout;
    }

    StoreException unusable(String what) {
        return failures.unusable(what);
    }

    StoreException unreachable(String what) {
        return failures.unreachable(what);
    }

    @Override
    public void close() {
        overdue.close();
        client.close();
        hangUp.run();
    }
}
