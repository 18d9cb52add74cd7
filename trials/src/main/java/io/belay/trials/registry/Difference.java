package io.belay.trials.registry;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A part of what Spring Integration's tests demand of its own registries that {@code BelayLockRegistry} does not do, with the
 * tests that demand it: those fail, and no others do.
 */
enum Difference {
    CACHE(
            "Nothing is kept of a lock that is not held: there is no cache that has a capacity, evicts, or cannot expire.",
            "Expected size|to contain keys|Expecting code to raise a throwable",
            "RedisLockRegistryTests.cannotAcquireLockExceptionOnCacheLimit",
            "RedisLockRegistryTests.concurrentObtainAccessRemoveOrderTest",
            "RedisLockRegistryTests.concurrentObtainCapacityTest",
            "RedisLockRegistryTests.concurrentObtainRemoveOrderTest",
            "RedisLockRegistryTests.setCapacityTest",
            "RedisLockRegistryTests.testThreadLocalListLeaks",
            "RedisLockRegistryTests.unusedLockIsStale",
            "JdbcLockRegistryTests.concurrentObtainAccessRemoveOrderTest",
            "JdbcLockRegistryTests.concurrentObtainCapacityTest",
            "JdbcLockRegistryTests.concurrentObtainRemoveOrderTest",
            "JdbcLockRegistryTests.setCapacityTest",
            "ZkLockRegistryTests.concurrentObtainAccessRemoveOrderTest",
            "ZkLockRegistryTests.concurrentObtainCapacityTest",
            "ZkLockRegistryTests.concurrentObtainRemoveOrderTest",
            "ZkLockRegistryTests.setCapacityTest",
            "ZkLockRegistryTests.testLockWithBoundedStrategy"),
    WORDS(
            "Who does not hold a lock, or has lost it, is told in other words: `unlock` throws an IllegalMonitorStateException, as"
                    + " Java's locks do, and `renewLock` an IllegalStateException, where Spring's registries differ among themselves.",
            "does not hold the lock|Expecting value to be true|Expecting actual not to be null|was lost before it was unlocked",
            "RedisLockRegistryTests.testExceptionOnExpire",
            "RedisLockRegistryTests.testTwoThreadsSecondFailsToGetLock",
            "RedisLockRegistryTests.testTwoThreadsWrongOneUnlocks",
            "JdbcLockRegistryTests.testLockRenewLockNotOwned",
            "JdbcLockRegistryTests.testTwoThreadsSecondFailsToGetLock",
            "JdbcLockRegistryTests.testTwoThreadsWrongOneUnlocks",
            "ZkLockRegistryTests.testTwoThreadsSecondFailsToGetLock",
            "ZkLockRegistryTests.testTwoThreadsWrongOneUnlocks"),
    ENDED(
            "What is taken again after its time to live is a lock of its own, which the inner `unlock` gives back.",
            "does not hold the lock",
            "JdbcLockRegistryTests.testReentrantLockAfterExpiration"),
    INSIDE(
            "The test looks into Spring's own registry or its store, or stops that.",
            "Expecting code to raise a throwable|has no 'path'|Expecting value to be true|there is no ZooKeeper to stop",
            "RedisLockRegistryTests.testUnlockWhenInterruptedBlocksUntilKeyRemoved",
            "JdbcLockRegistryTests.noTableThrowsExceptionOnStart",
            "JdbcLockRegistryTests.testPathForCanBeOverridden",
            "ZkLockRegistryTests.voidLockFailsWhenServerDown");

    private final String reason;
    private final Pattern sign;
    private final Set<String> tests;

    /** {@code sign}: a pattern in the messages of such failures; {@code tests}: as {@code Class.method}. */
    Difference(String reason, String sign, String... tests) {
        this.reason = reason;
        this.sign = Pattern.compile(sign);
        this.tests = new TreeSet<>(Set.of(tests));
    }

    /** Finds what a test demands that is not done; empty if it is to pass. */
    static Optional<Difference> of(String test) {
        return Arrays.stream(values()).filter(one -> one.tests.contains(test)).findFirst();
    }

    String reason() {
        return reason;
    }

    Set<String> tests() {
        return tests;
    }

    /** Tells by the message whether a test failed because of this, and not for another reason. */
    boolean explains(String message) {
        return sign.matcher(message).find();
    }
}
