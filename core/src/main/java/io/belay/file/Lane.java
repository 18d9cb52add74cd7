package io.belay.file;

import io.belay.spi.Sink;
import java.util.concurrent.locks.ReentrantLock;

/** What a thread needs to change a bucket, shared by the buckets of one lane. The lock orders this client's threads. */
final class Lane {
    final ReentrantLock lock = new ReentrantLock();
    final Document document = new Document();
    final Sink out = new Sink();
}
