package io.belay.file;

import io.belay.spi.Sink;
import io.belay.support.Mutex;

/** The lock that orders this client's threads, and what they change a bucket with; the buckets of one lane share it. */
final class LockStripe {
    final Mutex lock = new Mutex();
    final Document document = new Document();
    final Sink out = new Sink();
}
