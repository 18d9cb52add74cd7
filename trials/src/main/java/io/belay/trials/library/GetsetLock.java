package io.belay.trials.library;

import java.time.Duration;

/** SETNX with the time at which it ends; who finds it over replaces it by GETSET, and has it if it was the first to. */
final class GetsetLock extends RedisTextbookLock {
    GetsetLock(String url, Duration lease) {
        super(url, lease);
    }

    @Override
    boolean take(String key, String value) {
        String end = Long.toString(System.currentTimeMillis() + leaseMillis);
        if (redis.setnx(key, end)) {
            return true;
        }
        String current = redis.get(key);
        if (current == null || Long.parseLong(current) > System.currentTimeMillis()) {
            return false;
        }
        return current.equals(redis.getset(key, end));
    }

    @Override
    void giveBack(String key, String value) {
        redis.del(key);
    }
}
