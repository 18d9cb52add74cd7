package io.belay.trials.registry.adapter;

import io.belay.Belay;
import io.belay.Inspection;
import java.util.Set;

/** A look at who has a lock, where Spring's tests look at its key. */
public final class StringRedisTemplate {
    private final Belay belay = Clients.open();

    public StringRedisTemplate(RedisConnectionFactory unused) {}

    /** Returns the key if the lock is held or waited for. */
    public Set<String> keys(String key) {
        return belay.admin().inspect(key).claims().isEmpty() ? Set.of() : Set.of(key);
    }

    /** Returns how long the lock stays taken, in seconds. */
    public Long getExpire(String key) {
        return belay.admin().inspect(key).claims().stream()
                .map(Inspection.Claim::remaining)
                .findFirst()
                .map(left -> Math.round(left.toMillis() / 1000.0))
                .orElse(-2L);
    }

    /** Has nothing to delete: the names of each test are its own. */
    public Boolean delete(String keys) {
        return false;
    }
}
