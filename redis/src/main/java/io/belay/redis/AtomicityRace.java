package io.belay.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A race of one script over two connections: it reads a number, stays a while, and writes the next one. Where scripts run one at
 * a time no number comes twice. Ends as soon as one does, which proves that a write was lost; that none did proves little about
 * one script, and a lot about some thousands. The number is 1 before they start, so who writes that later has found no key, and
 * the race is void. Thread-safe.
 */
final class AtomicityRace {
    /** The time that a server is raced. */
    static final Duration LENGTH = Duration.ofSeconds(2);

    /** The time for one that takes over where another of its make has been raced for so long: clients wait for it. */
    static final Duration SHORT = Duration.ofMillis(250);

    /** The scripts that each connection has under way. */
    private static final int LANES = 4;

    /** More than a server can run in the time; a reply beyond that is none of the script's. */
    private static final long MOST = 50_000_000;

    private static final byte[] SCRIPT = Scripts.file("race").getBytes(StandardCharsets.UTF_8);

    private final byte[][] key;
    private final long end;
    private final Set<Long> written = ConcurrentHashMap.newKeySet();
    private final AtomicInteger scripts = new AtomicInteger();
    private volatile boolean lost;
    private volatile boolean gone;

    /**
     * The outcome of a race.
     *
     * @param scripts how many were raced
     * @param lost whether a write was lost
     * @param gone whether the key was, so that nothing is known of the rest
     */
    record Outcome(int scripts, boolean lost, boolean gone) {}

    private AtomicityRace(byte[] key, Duration length) {
        this.key = new byte[][] {key};
        end = System.nanoTime() + length.toNanos();
    }

    /**
     * Races two connections.
     *
     * @param key one that nobody else uses; it goes away by itself
     * @return fails with whatever the server says
     */
    static CompletableFuture<Outcome> run(
            RedisAsyncCommands<byte[], byte[]> one,
            RedisAsyncCommands<byte[], byte[]> other,
            byte[] key,
            Duration length) {
        AtomicityRace race = new AtomicityRace(key, length);
        return one.<byte[]>eval(SCRIPT, ScriptOutputType.VALUE, race.key)
                .toCompletableFuture()
                .thenCompose(first -> race.lanes(one, other))
                // A script that found no key may be heard of after those that went on from its number.
                .thenApply(done -> new Outcome(race.scripts.get(), race.lost, race.gone));
    }

    private CompletableFuture<Void> lanes(
            RedisAsyncCommands<byte[], byte[]> one, RedisAsyncCommands<byte[], byte[]> other) {
        CompletableFuture<?>[] lanes = new CompletableFuture<?>[2 * LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[2 * i] = lane(one);
            lanes[2 * i + 1] = lane(other);
        }
        return CompletableFuture.allOf(lanes);
    }

    private CompletableFuture<Void> lane(RedisAsyncCommands<byte[], byte[]> commands) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        next(commands, over);
        return over;
    }

    private void next(RedisAsyncCommands<byte[], byte[]> commands, CompletableFuture<Void> over) {
        commands.<byte[]>eval(SCRIPT, ScriptOutputType.VALUE, key).whenComplete((reply, error) -> {
            Throwable wrong = error == null ? note(reply) : error;
            if (wrong != null) {
                over.completeExceptionally(wrong);
            } else if (lost || gone || System.nanoTime() - end >= 0) {
                over.complete(null);
            } else {
                next(commands, over);
            }
        });
    }

    /** Notes the number that a script has written. Returns what is wrong with a reply that the script cannot have made. */
    private @Nullable Throwable note(byte @Nullable [] reply) {
        long number = reply == null ? 0 : number(new String(reply, StandardCharsets.US_ASCII));
        if (number < 1 || number > MOST) {
            return new RedisCommandExecutionException("BELAYREPLY to a script with another number than it has written");
        }
        scripts.incrementAndGet();
        if (number == 1) {
            gone = true;
        } else if (!written.add(number)) {
            lost = true;
        }
        return null;
    }

    private static long number(String text) {
        return text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
    }
}
