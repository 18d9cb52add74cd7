package io.belay.tck;

import io.belay.fence.Fence;

/**
 * A number that a fence guards, as {@link FenceTck} is to see it: opened before each test and closed after it. It begins at 0,
 * and nobody has raised the fence. What is raised has no end but that of the test: a fence of transactions cannot be tested by
 * this. Some tests use it by two threads at once.
 *
 * @param <W> by what the fence has its holders write
 * @param <E> what it throws where it fails, and does not refuse
 */
public interface FenceSpec<W, E extends Exception> extends AutoCloseable {
    /** Returns the fence; the same in each call. */
    Fence<W, E> fence();

    /** Returns the number. */
    long read() throws Exception;

    /** Sets the number by what raising the fence has returned. */
    void write(W writer, long value) throws Exception;

    /** Sets the number as one does who knows of no fence. */
    void writeUnguarded(long value) throws Exception;

    @Override
    void close() throws Exception;
}
