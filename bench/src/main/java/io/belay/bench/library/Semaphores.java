package io.belay.bench.library;

/** A client whose library has semaphores. */
public interface Semaphores {
    /**
     * Returns a permit of several, for many threads, each of which takes another one.
     *
     * @param name the semaphore's name
     * @param permits how many permits the semaphore has
     */
    Mutex permit(String name, int permits);
}
