package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks sentinels where a master is, one after the other until one knows. Older news than they told before does not
 * count: a sentinel that was cut off would send its clients to a master that others have replaced.
 */
final class Sentinels {
    /** The longest time that each sentinel may take, once one has answered. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Connector connector;
    private final Settings settings;
    /** The last news of the sentinels; null before the first. */
    private final AtomicReference<@Nullable MasterInfo> known = new AtomicReference<>();

    /** The sentinels: those that were not asked for the longest time first, those that did not answer last. */
    private volatile List<Address> order;

    Sentinels(Connector connector) {
        this.connector = connector;
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
        CommandArgs<String, String> question = new CommandArgs<>(StringCodec.UTF8)
                .add("MASTER")
                .add(settings.place().master());
        return connector.insist(() -> reply(one, question)).handle((told, error) -> {
            if (error == null) {
                return MasterInfo.of(told);
            } else if (MasterInfo.isUnknown(error)) {
                return null;
            }
            throw new Failures(one).of(error, one.timeout());
        });
    }

    private CompletableFuture<Map<String, String>> reply(Settings one, CommandArgs<String, String> question) {
        Silence silence = connector.silence(new Failures(one), one.timeout());
        CompletableFuture<Map<String, String>> reply = silence.over(
                        () -> connector.client.connectAsync(StringCodec.UTF8, one.uri(one.credentials())))
                .thenCompose(connection -> connection
                        .async()
                        .dispatch(CommandType.SENTINEL, new MapOutput<>(StringCodec.UTF8), question)
                        .whenComplete((told, error) -> connector.close(connection)));
        return silence.limit(reply, late -> {});
    }

    private Duration patience() {
        Duration usual = settings.timeout();
        return known.get() == null || usual.compareTo(PATIENCE) < 0 ? usual : PATIENCE;
    }

    /** Returns whether what a sentinel says is not older than what another has said. */
    boolean isNews(MasterInfo told) {
        MasterInfo before = known.get();
        return before == null || told.epoch() >= before.epoch();
    }

    private CompletableFuture<MasterInfo> ask(List<Address> left, Poll poll) {
        if (left.isEmpty()) {
            return poll.end();
        }
        Address sentinel = left.get(0);
        return ask(sentinel)
                .handle((told, error) -> {
                    if (told != null && isNews(told)) {
                        known.set(told);
                        // What it names may not be there: then another is asked, which may know better.
                        order = Stream.of(left.stream().skip(1), Stream.of(sentinel), poll.asked.stream())
                                .flatMap(part -> part)
                                .toList();
                        return CompletableFuture.completedFuture(told);
                    }
                    poll.asked.add(sentinel);
                    poll.note(told, error);
                    return ask(left.subList(1, left.size()), poll);
                })
                .thenCompose(next -> next);
    }

    /** The answers of the sentinels that could not tell. */
    private final class Poll {
        final List<Address> asked = new ArrayList<>();
        private @Nullable MasterInfo outdated;
        private @Nullable Throwable failure;
        private boolean unknown;

        void note(@Nullable MasterInfo told, @Nullable Throwable error) {
            if (told != null) {
                outdated = outdated == null || told.epoch() > outdated.epoch() ? told : outdated;
            } else if (error != null) {
                failure = error;
            } else {
                unknown = true;
            }
        }

        CompletableFuture<MasterInfo> end() {
            MasterInfo newest = outdated;
            if (newest != null && failure == null && !unknown) {
                // All of them say so: they were set up anew.
                known.set(newest);
                return CompletableFuture.completedFuture(newest);
            }
            return CompletableFuture.failedFuture(problem());
        }

        private StoreException problem() {
            if (outdated != null) {
                return connector.failures().unreachable("know less than others did: are they cut off from them?", null);
            } else if (unknown) {
                return connector
                        .failures()
                        .unusable("know no master '" + settings.place().master() + "': check master= in the URL", null);
            }
            Throwable last = failure == null || failure.getCause() == null ? failure : failure.getCause();
            StoreException reason =
                    last instanceof StoreException e ? e : connector.failures().disconnected();
            String what = "cannot say where the master is; the last one asked: " + reason.getMessage();
            return reason.isTemporary()
                    ? connector.failures().unreachable(what, reason)
                    : connector.failures().unusable(what, reason);
        }
    }
}
