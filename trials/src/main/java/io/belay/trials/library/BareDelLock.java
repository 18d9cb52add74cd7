package io.belay.trials.library;

import io.lettuce.core.SetArgs;
import java.time.Duration;

/** SET NX PX, and DEL whoever has it by then. */
final class BareDelLock extends RedisTextbookLock {
    BareDelLock(String url, Duration lease) {
        super(url, lease);
    }

    @Override
    boolean take(String key, String value) {
        return redis.set(key, value, SetArgs.Builder.nx().px(leaseMillis)) != null;
    }

    @Override
    void giveBack(String key, String value) {
        redis.del(key);
    }
}
