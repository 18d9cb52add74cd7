package io.belay.spring;

import io.belay.Belay;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A bean with a method of each kind, which notes what happens, and whether the lock is held then. */
public class Sale {
    static final String STOCK = "stock:7";

    private final Belay belay;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    volatile Runnable within = () -> {};

    public Sale(Belay belay) {
        this.belay = belay;
    }

    /** Notes an event. */
    void note(String event) {
        boolean held =
                belay.admin().holds().stream().anyMatch(hold -> hold.name().equals(STOCK));
        events.add(event + (held ? " held" : " free"));
    }

    /** Returns the events so far, and that the lock is free or not. */
    List<String> events() {
        note("end");
        return List.copyOf(events);
    }

    private String body() {
        note("body");
        within.run();
        return "sold on " + Thread.currentThread().getName();
    }

    @Locked("stock:#{#item}")
    @Transactional
    public String plain(int item) {
        return body();
    }

    @Async
    @Locked("stock:#{#item}")
    @Transactional
    public CompletableFuture<String> elsewhere(int item) {
        return CompletableFuture.completedFuture(body());
    }

    @Retryable(maxRetries = 1, delay = 1)
    @Locked("stock:#{#item}")
    @Transactional
    public String again(int item) {
        body();
        if (attempts.incrementAndGet() == 1) {
            throw new IllegalStateException("the first attempt fails");
        }
        return "sold";
    }

    @Locked("stock:#{#item}")
    @Transactional
    public CompletableFuture<String> later(int item, CompletableFuture<String> result) {
        body();
        return result;
    }

    @Locked("stock:#{#item}")
    @Transactional("reactive")
    public Mono<String> mono(int item) {
        return Mono.fromCallable(this::body);
    }

    @Locked("stock:#{#item}")
    @Transactional("reactive")
    public Flux<String> flux(int item, Flux<String> rest) {
        return Flux.concat(Mono.fromCallable(this::body), rest);
    }

    @Locked(value = "stock:7", inTransaction = Locked.InTransaction.HOLD_UNTIL_COMPLETION)
    @Transactional
    public void joining() {
        body();
    }
}
