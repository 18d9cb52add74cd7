package io.belay.trials.jsr166;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A test of the JDK's, and the classes of the JDK in whose place it gets Belay's. */
enum JdkTest {
    REENTRANT_LOCK("ReentrantLockTest", "tck", "locks.ReentrantLock"),
    READ_WRITE_LOCK("ReentrantReadWriteLockTest", "tck", "locks.ReentrantReadWriteLock"),
    SEMAPHORE("SemaphoreTest", "tck", "Semaphore"),
    LATCH("CountDownLatchTest", "tck", "CountDownLatch"),
    /** A program that counts what failed, and no test of JUnit's. */
    COUNT("Count", "locks/ReentrantReadWriteLock", "locks.ReentrantLock", "locks.ReentrantReadWriteLock");

    private final String title;
    private final String folder;
    private final List<String> replaced;

    JdkTest(String title, String folder, String... replaced) {
        this.title = title;
        this.folder = folder;
        this.replaced = List.of(replaced);
    }

    /** The name of its class. */
    String title() {
        return title;
    }

    /** The folder of its source, below {@code java/util/concurrent}. */
    String folder() {
        return folder;
    }

    /** The names of those classes, below {@code java.util.concurrent}. */
    List<String> replaced() {
        return replaced;
    }

    boolean isProgram() {
        return this == COUNT;
    }

    static Optional<JdkTest> of(String title) {
        return Stream.of(values()).filter(one -> one.title.equals(title)).findFirst();
    }

    static List<String> titles() {
        return Stream.of(values()).map(JdkTest::title).toList();
    }
}
