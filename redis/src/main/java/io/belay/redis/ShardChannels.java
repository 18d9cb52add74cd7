package io.belay.redis;

import io.belay.spi.ClaimId;
import io.belay.support.Mutex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The channels on which a client listens in a cluster that has them by slot: one in each slot in which a claim of its
 * own waits, and a while longer. A subscription ends when its slot moves, and only this class restores it.
 * Thread-safe.
 */
final class ShardChannels {
    private final Mutex lock = new Mutex();
    private final Settings settings;
    private final String channel;
    private final Map<Integer, Shard> shards = new HashMap<>();

    private static final class Shard {
        final Set<ClaimId> claims = new HashSet<>();
        /** The connection on which the client listens; null if the subscription has ended. */
        @Nullable
        Link link;

        CompletableFuture<Void> heard = new CompletableFuture<>();
        boolean idle;
    }

    ShardChannels(Settings settings, String channel) {
        this.settings = settings;
        this.channel = channel;
    }

    /**
     * Sees to it that the client hears what is pushed to a claim.
     *
     * @return when it does, whether that is new, so that something may have been pushed before
     */
    CompletableFuture<Boolean> listen(int slot, ClaimId id, Link owner) {
        try (var held = lock.hold()) {
            Shard shard = shards.computeIfAbsent(slot, key -> new Shard());
            shard.claims.add(id);
            shard.idle = false;
            if (shard.link == owner && shard.heard.isDone() && !shard.heard.isCompletedExceptionally()) {
                return CompletableFuture.completedFuture(false);
            }
            return subscribe(slot, shard, owner).thenApply(done -> true);
        }
    }

    private CompletableFuture<Void> subscribe(int slot, Shard shard, Link owner) {
        if (shard.link != owner || shard.heard.isCompletedExceptionally()) {
            shard.link = owner;
            shard.heard = owner.listen(settings.channel(channel, slot));
        }
        return shard.heard;
    }

    /** Forgets a claim that has ended. */
    void forget(int slot, ClaimId id) {
        try (var held = lock.hold()) {
            Shard shard = shards.get(slot);
            if (shard != null) {
                shard.claims.remove(id);
            }
        }
    }

    /** Notes that the server has ended a subscription. Returns whether this client did not ask for that. */
    boolean silenced(Link link, byte[] name) {
        try (var held = lock.hold()) {
            for (Map.Entry<Integer, Shard> entry : shards.entrySet()) {
                Shard shard = entry.getValue();
                if (shard.link == link && Arrays.equals(settings.channel(channel, entry.getKey()), name)) {
                    shard.link = null;
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Listens to the present owners of the slots where the client listened to others, or to none.
     *
     * @return the new subscriptions, done when the client listens
     */
    List<CompletableFuture<Void>> follow(IntFunction<@Nullable Link> owners) {
        try (var held = lock.hold()) {
            List<CompletableFuture<Void>> moved = new ArrayList<>();
            shards.forEach((slot, shard) -> {
                Link owner = owners.apply(slot);
                boolean heard = owner == shard.link && !shard.heard.isCompletedExceptionally();
                if (owner != null && !heard && !shard.claims.isEmpty()) {
                    moved.add(subscribe(slot, shard, owner));
                }
            });
            return moved;
        }
    }

    /** Stops listening where no claim has waited since the last call. */
    void sweep() {
        try (var held = lock.hold()) {
            for (Iterator<Map.Entry<Integer, Shard>> all = shards.entrySet().iterator(); all.hasNext(); ) {
                Map.Entry<Integer, Shard> entry = all.next();
                Shard shard = entry.getValue();
                if (shard.claims.isEmpty() && shard.idle) {
                    all.remove();
                    if (shard.link != null) {
                        shard.link.unlisten(settings.channel(channel, entry.getKey()));
                    }
                }
                shard.idle = shard.claims.isEmpty();
            }
        }
    }
}
