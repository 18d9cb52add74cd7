package io.belay.trials.library;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import java.time.Duration;

/** SET NX PX, and a script that deletes only what is one's own: the best that is in textbooks. */
final class ComparedDelLock extends RedisTextbookLock {
    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    ComparedDelLock(String url, Duration lease) {
        super(url, lease);
    }

    @Override
    boolean take(String key, String value) {
        return redis.set(key, value, SetArgs.Builder.nx().px(leaseMillis)) != null;
    }

    @Override
    void giveBack(String key, String value) {
        redis.<Long>eval(COMPARE_AND_DELETE, ScriptOutputType.INTEGER, new String[] {key}, value);
    }
}
