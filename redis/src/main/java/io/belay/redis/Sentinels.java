package io.belay.redis;

import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks sentinels where a master is, one after the other until one knows. Older news than they told before does not
 * count: a sentinel that was cut off would send its clients to a master that others have replaced. Nor does one that names
 * a master again which was left, if that is not by a later fail-over.
 */
final class Sentinels {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The right that users made by an earlier version's page may lack. */
    private static final String RIGHT = "+sentinel|get-master-addr-by-name";

    /** The rights that a user of the sentinels needs. */
    static final String RIGHTS = "&+switch-master +sentinel|master " + RIGHT + " +subscribe +ping";

    /** The longest time that each sentinel may take, once one has answered. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * The time after which most of them are believed that they were set up anew, in nanoseconds: by then the others may be gone for
     * good, and those that had only missed a fail-over have heard of it or undone it.
     */
    private static final long LONG_DOUBTED = TimeUnit.SECONDS.toNanos(30);

    private final Connector connector;
    private final LongSupplier nanos;
    private final Settings settings;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Mutex lock = new Mutex();
    /** The epoch at which each former master was left. Guarded by the lock, like what is written to {@link #known}. */
    private final Map<Address, Long> left = new HashMap<>();
    /** What all said who answered when all were asked last; null if that was not one address, or if one was believed since. */
    private @Nullable MasterInfo doubted;
    /** The time since when that address was said, by the clock. */
    private long doubtedNanos;
    /** The last news of the sentinels; null before the first. */
    private volatile @Nullable MasterInfo known;

    /** The sentinels: those that were not asked for the longest time first, those that did not answer last. */
    private volatile List<Address> order;

    Sentinels(Connector connector) {
        this(connector, System::nanoTime);
    }

    Sentinels(Connector connector, LongSupplier nanos) {
        this.connector = connector;
        this.nanos = nanos;
        settings = connector.settings();
        order = settings.addresses();
    }

    /** Asks where the master is. Returns a connector to it. */
    CompletableFuture<Connector> locate() {
        return ask(order, new Poll()).thenApply(master -> connector.at(master.address(), 0));
    }

    /** Asks one sentinel. Returns what it says; null if it does not know the master. */
    CompletableFuture<@Nullable MasterInfo> ask(Address sentinel) {
        Settings one = settings.ofSentinel(sentinel, patience());
        return connector.insist(() -> reply(one)).handle((told, error) -> {
            if (error == null) {
                connector.failuresOf(one).answered();
                return told.orElse(null);
            } else if (MasterInfo.isUnknown(error)) {
                return null;
            }
            throw connector.failuresOf(one).of(error, one.timeout());
        });
    }

    /**
     * Asks for the epoch and then, on the same connection, for the address: so that is never older than its epoch. The address
     * that comes with the epoch is the former one until the sentinel that leads a fail-over has told all replicas.
     */
    private CompletableFuture<Optional<MasterInfo>> reply(Settings one) {
        String name = settings.place().master();
        Silence silence = connector.silence(connector.failuresOf(one), one.timeout());
        CompletableFuture<Optional<MasterInfo>> reply = silence.over(
                        () -> connector.client.connectAsync(StringCodec.UTF8, one.uri(one.credentials())))
                .thenCompose(connection -> {
                    RedisAsyncCommands<String, String> commands = connection.async();
                    CompletionStage<Map<String, String>> fields = commands.dispatch(
                            CommandType.SENTINEL, new MapOutput<>(StringCodec.UTF8), question("MASTER", name));
                    CompletionStage<List<String>> address = commands.dispatch(
                            CommandType.SENTINEL,
                            new ValueListOutput<>(StringCodec.UTF8),
                            question("GET-MASTER-ADDR-BY-NAME", name));
                    return fields.thenCombine(
                                    address.exceptionally(this::denied), (told, where) -> info(one, told, where))
                            .whenComplete((told, error) -> connector.close(connection));
                });
        return silence.limit(reply, late -> {});
    }

    private static Optional<MasterInfo> info(Settings one, Map<String, String> fields, @Nullable List<String> address) {
        List<String> where = address == null ? List.of() : address;
        if (where.isEmpty() && MasterInfo.isChanging(fields)) {
            throw new Failures(one).unreachable("is replacing the master, and its user may not ask by which", null);
        }
        return Optional.ofNullable(MasterInfo.of(fields, where));
    }

    private static CommandArgs<String, String> question(String what, String name) {
        return new CommandArgs<>(StringCodec.UTF8).add(what).add(name);
    }

    /** Does without the address, as the user may not ask for it; then nothing is believed while the master changes. */
    private List<String> denied(Throwable error) {
        if (!String.valueOf(error.getMessage()).contains("NOPERM")) {
            throw new CompletionException(error);
        }
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} deny their user a right, so a fail-over is noticed late: grant it by ACL SETUSER NAME {}",
                    settings.address(),
                    RIGHT);
        }
        return List.of();
    }

    private Duration patience() {
        Duration usual = settings.timeout();
        return known == null || usual.compareTo(PATIENCE) < 0 ? usual : PATIENCE;
    }

    /** Returns where the master is by all that was told and believed; null before anything was. */
    @Nullable
    Address master() {
        MasterInfo last = known;
        return last == null ? null : last.address();
    }

    /** Believes what a sentinel says, if it is not older than what another has said; returns whether it does. */
    boolean believe(MasterInfo told) {
        try (var held = lock.hold()) {
            MasterInfo before = known;
            if (before != null) {
                boolean other = !told.address().equals(before.address());
                if (told.epoch() < before.epoch()
                        || (other && told.epoch() <= left.getOrDefault(told.address(), -1L))) {
                    return false;
                }
                if (other) {
                    left.put(before.address(), told.epoch());
                }
            }
            known = told;
            doubted = null;
            return true;
        }
    }

    /** Returns whether those agree who said something, by what at least one of them knows. */
    boolean agree(List<MasterInfo> told) {
        return told.isEmpty()
                || (told.stream().anyMatch(this::isKnown)
                        && told.stream().allMatch(one -> one.address().equals(master())));
    }

    private boolean isKnown(MasterInfo told) {
        MasterInfo last = known;
        return last != null && told.epoch() >= last.epoch() && told.address().equals(last.address());
    }

    /**
     * Returns what is to be believed though others knew more, as the sentinels were set up anew: what all that the URL names say for
     * the second time, or most of them for long while the others say nothing.
     *
     * @param told what they said, each time that they were all asked
     */
    @Nullable
    MasterInfo anew(List<MasterInfo> told) {
        try (var held = lock.hold()) {
            MasterInfo before = doubted;
            MasterInfo newest = told.stream()
                    .max(Comparator.comparingLong(MasterInfo::epoch))
                    .orElse(null);
            if (newest == null
                    || told.stream()
                            .anyMatch(one -> isKnown(one) || !one.address().equals(newest.address()))) {
                doubted = null;
                return null;
            }
            doubted = newest;
            if (before == null || !before.address().equals(newest.address())) {
                doubtedNanos = nanos.getAsLong();
                return null;
            }
            int all = settings.addresses().size();
            boolean most = told.size() * 2 > all && nanos.getAsLong() - doubtedNanos >= LONG_DOUBTED;
            return told.size() == all || most ? newest : null;
        }
    }

    /** Believes the sentinels after they were set up anew. */
    void believeAnew(MasterInfo told) {
        try (var held = lock.hold()) {
            left.clear();
            known = told;
        }
    }

    private CompletableFuture<MasterInfo> ask(List<Address> others, Poll poll) {
        if (others.isEmpty()) {
            return poll.end();
        }
        Address sentinel = others.get(0);
        return ask(sentinel)
                .handle((told, error) -> {
                    if (told != null && believe(told)) {
                        // What it names may not be there: then another is asked, which may know better.
                        order = Stream.of(others.stream().skip(1), Stream.of(sentinel), poll.asked.stream())
                                .flatMap(part -> part)
                                .toList();
                        return CompletableFuture.completedFuture(told);
                    }
                    poll.asked.add(sentinel);
                    poll.note(told, error);
                    return ask(others.subList(1, others.size()), poll);
                })
                .thenCompose(next -> next);
    }

    /** The answers of the sentinels that could not tell. */
    private final class Poll {
        final List<Address> asked = new ArrayList<>();
        private final List<MasterInfo> outdated = new ArrayList<>();
        /** Why one of them could not say; one that may do better soon counts before those that will not. */
        private @Nullable StoreException failure;

        private boolean unknown;

        void note(@Nullable MasterInfo told, @Nullable Throwable error) {
            if (told != null) {
                outdated.add(told);
            } else if (error != null) {
                StoreException reason = reason(error);
                failure = failure == null || reason.isTemporary() || !failure.isTemporary() ? reason : failure;
            } else {
                unknown = true;
            }
        }

        private StoreException reason(Throwable error) {
            return error.getCause() instanceof StoreException told
                    ? told
                    : connector.failures().disconnected();
        }

        CompletableFuture<MasterInfo> end() {
            MasterInfo anew = anew(outdated);
            if (anew != null) {
                believeAnew(anew);
                return CompletableFuture.completedFuture(anew);
            }
            return CompletableFuture.failedFuture(problem());
        }

        private StoreException problem() {
            String master = settings.place().master();
            StoreException reason = failure;
            if (!outdated.isEmpty()) {
                return connector.failures().unreachable("know less than others did: are they cut off from them?", null);
            } else if (reason == null) {
                // Whoever has had the master has written its name as it is.
                return known == null
                        ? connector
                                .failures()
                                .unusable("know no master '" + master + "': check master= in the URL", null)
                        : connector.failures().unreachable("know no master '" + master + "' any more", null);
            }
            String what = "cannot say where the master is"
                    + (unknown ? ", or know none called '" + master + "' (check master= in the URL)" : "")
                    + "; one that was asked: " + reason.getMessage();
            // Whoever has had the master has logged in, too: what refuses this client since then is being changed.
            return reason.isTemporary() || known != null
                    ? connector.failures().unreachable(what, reason)
                    : connector.failures().unusable(what, reason);
        }
    }
}
