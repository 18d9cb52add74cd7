package io.belay.file;

import io.belay.spi.Sink;
import java.util.concurrent.locks.ReentrantLock;

/** The lock that orders this client's threads, and what they change a bucket with; the buckets of one lane share it. */
final class LockStripe {
    final ReentrantLock lock = new ReentrantLock();
    final Document document = new Document();
    final Sink out = new Sink();
}
