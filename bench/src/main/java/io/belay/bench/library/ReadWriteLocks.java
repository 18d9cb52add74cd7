package io.belay.bench.library;

/** A client whose library has locks for readers and writers. */
public interface ReadWriteLocks {
    /** Returns the part that readers take of the lock of this name. */
    Mutex reader(String name);

    /** Returns the part that writers take of the lock of this name. */
    Mutex writer(String name);
}
