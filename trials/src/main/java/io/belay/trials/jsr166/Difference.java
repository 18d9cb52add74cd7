package io.belay.trials.jsr166;

import static io.belay.trials.jsr166.JdkTest.LATCH;
import static io.belay.trials.jsr166.JdkTest.READ_WRITE_LOCK;
import static io.belay.trials.jsr166.JdkTest.REENTRANT_LOCK;
import static io.belay.trials.jsr166.JdkTest.SEMAPHORE;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A part of the JDK's contract that Belay does not keep, with the tests that demand it: those fail, and no others do. The
 * reasons stand in {@code docs/locks.md}, too.
 */
enum Difference {
    CONDITIONS(
            "There are no conditions: one would have to survive the loss of the lock, which no lease can promise.",
            "no conditions"),
    BARGING(
            "Nobody overtakes: a reader's `tryLock()` is refused while a writer waits, unless others of its client read and"
                    + " their slice is not over, and a `tryAcquire()` of permits while somebody waits for more.",
            "does not hold the lock|timed out waiting for CountDownLatch"),
    SERIALIZATION("Nothing is serializable.", "NotSerializableException"),
    TO_STRING("`toString()` names the lock, and does not ask the store who holds it.", "AssertionFailedError");

    private static final String FAIR = "_fair";
    private static final Map<String, Difference> TABLE = new HashMap<>();
    /** The tests that pass if they are done within a slice. */
    private static final Set<String> MAY_PASS = Set.of(name(READ_WRITE_LOCK, "testReadTryLockBarging"));

    static {
        List<String> conditions = List.of(
                "testAwait",
                "testAwaitLockCount",
                "testAwaitNanos_Timeout",
                "testAwaitUninterruptibly",
                "testAwaitUntil_Timeout",
                "testAwait_IMSE",
                "testAwait_Timeout",
                "testGetWaitQueueLength",
                "testGetWaitQueueLengthIAE",
                "testGetWaitQueueLengthIMSE",
                "testGetWaitQueueLengthNPE",
                "testGetWaitingThreads",
                "testGetWaitingThreadsIAE",
                "testGetWaitingThreadsIMSE",
                "testGetWaitingThreadsNPE",
                "testHasWaiters",
                "testHasWaitersIAE",
                "testHasWaitersIMSE",
                "testHasWaitersNPE",
                "testInterruptible_await",
                "testInterruptible_awaitNanos",
                "testInterruptible_awaitTimed",
                "testInterruptible_awaitUntil",
                "testSignalAll_await",
                "testSignalAll_awaitNanos",
                "testSignalAll_awaitTimed",
                "testSignalAll_awaitUntil",
                "testSignalWakesFifo",
                "testSignal_IMSE");
        both(REENTRANT_LOCK, CONDITIONS, conditions);
        one(REENTRANT_LOCK, CONDITIONS, "testBug8187408");
        both(REENTRANT_LOCK, SERIALIZATION, List.of("testSerialization"));
        both(REENTRANT_LOCK, TO_STRING, List.of("testToString"));

        both(READ_WRITE_LOCK, CONDITIONS, conditions);
        both(READ_WRITE_LOCK, CONDITIONS, List.of("testSignalAll_IMSE"));
        both(READ_WRITE_LOCK, BARGING, List.of("testReadTryLockBarging"));
        both(READ_WRITE_LOCK, SERIALIZATION, List.of("testSerialization"));
        both(READ_WRITE_LOCK, TO_STRING, List.of("testToString", "testReadLockToString", "testWriteLockToString"));

        one(SEMAPHORE, BARGING, "testFairLocksFifo");
        both(SEMAPHORE, SERIALIZATION, List.of("testSerialization"));
        both(SEMAPHORE, TO_STRING, List.of("testToString"));

        one(LATCH, TO_STRING, "testToString");
    }

    private final String reason;
    private final Pattern sign;

    /** {@code sign}: a pattern in the messages of such failures. */
    Difference(String reason, String sign) {
        this.reason = reason;
        this.sign = Pattern.compile(sign);
    }

    private static void one(JdkTest test, Difference difference, String method) {
        TABLE.put(name(test, method), difference);
    }

    /** Declares the twins: most tests are run on a lock that is not fair, and on one that is. */
    private static void both(JdkTest test, Difference difference, List<String> methods) {
        for (String method : methods) {
            one(test, difference, method);
            one(test, difference, method + FAIR);
        }
    }

    private static String name(JdkTest test, String method) {
        return test.title() + "." + method;
    }

    /** Finds what a test demands that Belay does not keep; empty if it is to pass. */
    static Optional<Difference> of(JdkTest test, String method) {
        return Optional.ofNullable(TABLE.get(name(test, method)));
    }

    /** Returns whether a test that demands such a thing may pass as well, as the time decides. */
    static boolean mayPass(JdkTest test, String method) {
        return MAY_PASS.contains(name(test, method));
    }

    /** Lists the full names of the tests that demand this, in the order of the alphabet. */
    Set<String> tests() {
        Set<String> tests = new TreeSet<>();
        TABLE.forEach((name, difference) -> {
            if (difference == this) {
                tests.add(name);
            }
        });
        return tests;
    }

    String reason() {
        return reason;
    }

    /** Tells by the message whether a test failed because of this, and not for another reason. */
    boolean explains(String message) {
        return sign.matcher(message).find();
    }
}
