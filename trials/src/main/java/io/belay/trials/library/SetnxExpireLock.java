package io.belay.trials.library;

import java.time.Duration;

/** SETNX, then EXPIRE: what comes in between leaves a lock for ever. */
final class SetnxExpireLock extends RedisTextbookLock {
    SetnxExpireLock(String url, Duration lease) {
        super(url, lease);
    }

    @Override
    boolean take(String key, String value) {
        if (!redis.setnx(key, value)) {
            return false;
        }
        redis.pexpire(key, leaseMillis);
        return true;
    }

    @Override
    void giveBack(String key, String value) {
        redis.del(key);
    }
}
