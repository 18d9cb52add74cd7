package io.belay.spring;

import io.belay.Belay;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;

/** A bean with a method for each library whose advice has its place before or after the lock's, which notes what happens. */
public class Bench {
    private final Belay belay;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private volatile boolean failed;

    Bench(Belay belay) {
        this.belay = belay;
    }

    void note(String event) {
        events.add(belay.admin().holds().isEmpty() ? event : event + " held");
    }

    /** Returns what happened since the last call of this. */
    List<String> events() {
        List<String> all = List.copyOf(events);
        events.clear();
        failed = false;
        return all;
    }

    private int failOnce() {
        note("body");
        if (!failed) {
            failed = true;
            throw new IllegalStateException("the first attempt fails");
        }
        return 1;
    }

    @Retryable(maxRetries = 1, delay = 1)
    @Locked("bench")
    @Transactional
    public int framework() {
        return failOnce();
    }

    @org.springframework.retry.annotation.Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))
    @Locked("bench")
    @Transactional
    public int springRetry() {
        return failOnce();
    }

    @org.springframework.retry.annotation.Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))
    @Locked("bench")
    public int withoutTransaction() {
        return failOnce();
    }

    @Retry(name = "bench")
    @Locked("bench")
    @Transactional
    public int resilience4j() {
        return failOnce();
    }

    @Cacheable("bench")
    @Locked("bench")
    @Transactional
    public int cached(int of) {
        note("body");
        return of;
    }

    @PreAuthorize("denyAll")
    @Locked("bench")
    @Transactional
    public void denied() {
        note("body");
    }

    @Audited
    @Locked("bench")
    public void audited() {
        note("body");
    }

    @Audited
    @Locked("bench")
    @Transactional
    public void auditedInTransaction() {
        note("body");
    }
}
