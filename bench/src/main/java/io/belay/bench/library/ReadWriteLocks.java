package io.belay.bench.library;

/** A client whose library has locks for readers and writers. */
public interface ReadWriteLocks {
    /** What readers take of the lock of this name. */
    Mutex reader(String name);

    /** What writers take of it. */
    Mutex writer(String name);
}
