package io.belay.micrometer;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A lock whose waits and holds are observed.
 *
 * @param lock the lock that does the work
 * @param registry who is told
 */
record ObservedLock(DistributedLock lock, ObservationRegistry registry) implements DistributedLock {
    /** A call that may wait for the lock. */
    private interface Acquisition<E extends Exception> {
        Optional<Lease> run() throws E;
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String family() {
        return lock.family();
    }

    @Override
    public boolean isLocked() {
        return lock.isLocked();
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return observed(() -> Optional.of(lock.acquire())).orElseThrow();
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return observed(lock::tryAcquire);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return observed(() -> lock.tryAcquire(wait));
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return observedLater(lock::acquireAsync, Optional::of, Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return observedLater(lock::tryAcquireAsync, Function.identity(), Function.identity());
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return observedLater(() -> lock.tryAcquireAsync(wait), Function.identity(), Function.identity());
    }

    private <E extends Exception> Optional<Lease> observed(Acquisition<E> acquisition) throws E {
        ObservedWait wait = ObservedWait.begin(lock, registry);
        Optional<Lease> had = Optional.empty();
        try (Observation.Scope current = wait.openScope()) {
            had = acquisition.run();
        } catch (Throwable e) { // who observes may throw as the scope is closed
            had.ifPresent(Lease::releaseAsync);
            wait.failed(e);
            throw e;
        }
        return wait.ended(had);
    }

    /** Returns a future of its own, since the lease in it is another; however it is completed, none waits behind it. */
    private <T> CompletableFuture<T> observedLater(
            Supplier<CompletableFuture<T>> acquisition,
            Function<T, Optional<Lease>> lease,
            Function<Optional<Lease>, T> result) {
        ObservedWait wait = ObservedWait.begin(lock, registry);
        CompletableFuture<T> asked = asked(wait, acquisition, lease);
        CompletableFuture<T> told = new CompletableFuture<>();
        asked.whenComplete((value, error) -> {
            try {
                if (error != null) {
                    wait.failed(error);
                    told.completeExceptionally(error);
                    return;
                }
                Optional<Lease> had = wait.ended(lease.apply(value));
                if (!told.complete(result.apply(had))) {
                    had.ifPresent(Lease::releaseAsync); // it was completed just now
                }
            } catch (Throwable e) { // who observes may throw
                told.completeExceptionally(e);
            }
        });
        told.whenComplete((value, error) -> asked.cancel(false)); // nothing happens to one that is done
        return told;
    }

    private static <T> CompletableFuture<T> asked(
            ObservedWait wait, Supplier<CompletableFuture<T>> acquisition, Function<T, Optional<Lease>> lease) {
        CompletableFuture<T> asked = new CompletableFuture<>();
        try (Observation.Scope current = wait.openScope()) {
            asked = acquisition.get();
            return asked;
        } catch (Throwable e) { // who observes may throw as the scope is closed
            asked.cancel(false);
            var unused = asked.thenAccept(value -> lease.apply(value).ifPresent(Lease::releaseAsync));
            wait.failed(e);
            throw e;
        }
    }

    @Override
    public String toString() {
        return "Observed " + lock;
    }
}
