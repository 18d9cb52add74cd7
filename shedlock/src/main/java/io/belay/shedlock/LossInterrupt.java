package io.belay.shedlock;

import java.util.concurrent.locks.ReentrantLock;

/**
 * An interrupt of the thread that runs a job, at the loss of its lock.
 *
 * <p>A thread of a pool has its next job soon, so the loss and the end exclude each other: after the end nobody interrupts,
 * and the end takes back an interrupt that was sent before and that the job has left pending.
 */
final class LossInterrupt {
    private final Thread job;
    private final ReentrantLock guard = new ReentrantLock();
    // These two under the guard.
    private boolean ended;
    private boolean sent;

    LossInterrupt(Thread job) {
        this.job = job;
    }

    /** Interrupts the job unless it has ended, or somebody else has interrupted it already. */
    void lost() {
        guard.lock();
        try {
            if (!ended && !job.isInterrupted()) {
                sent = true;
                job.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Ends the job. On another thread than its own an interrupt that is pending stays: only a thread clears its own. */
    void end() {
        guard.lock();
        try {
            ended = true;
            if (sent && Thread.currentThread() == job) {
                Thread.interrupted();
            }
        } finally {
            guard.unlock();
        }
    }
}
