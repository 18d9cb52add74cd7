package io.belay.spring;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.support.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The locks that one call wants, and the words for not getting them. */
record Acquisition(LockedMethod method, List<LockName> names) {
    /**
     * Waits for all locks. Keeps an interrupt.
     *
     * @throws LockNotAcquiredException if the thread is interrupted
     */
    Optional<MultiLease> acquire() {
        try {
            Duration wait = method.longestWait();
            if (!wait.isZero()) {
                return locks().tryAcquire(wait);
            }
            boolean interrupted = Thread.currentThread().isInterrupted();
            Optional<MultiLease> had = interrupted ? Optional.empty() : locks().tryAcquire();
            if (Thread.interrupted()) {
                had.ifPresent(MultiLease::release);
                throw new InterruptedException();
            }
            return had;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockNotAcquiredException(
                    method.title() + " was not called: interrupted while waiting for the lock " + title(), e);
        }
    }

    CompletableFuture<Optional<MultiLease>> acquireAsync() {
        Duration wait = method.longestWait();
        return wait.isZero() ? locks().tryAcquireAsync() : locks().tryAcquireAsync(wait);
    }

    private MultiLock locks() {
        return MultiLock.of(names.stream().map(method::lock).toList());
    }

    private String title() {
        return names.stream().map(name -> "'" + name.name() + "'").collect(Collectors.joining(" and "));
    }

    /** Makes the exception for who did not get the locks. Asks the store who has them, and blocks for that. */
    LockNotAcquiredException refusal() {
        return new LockNotAcquiredException(
                method.title() + " was not called: the lock " + title() + " was not to be had within "
                        + TimeUnit.MILLISECONDS.convert(method.longestWait()) + " ms"
                        + OneLine.printable(
                                names.stream().map(Acquisition::holder).collect(Collectors.joining())),
                null);
    }

    private static String holder(LockName name) {
        try {
            return holder(name.belay(), name.name());
        } catch (BelayException e) {
            return ""; // it is the lock that matters, and not who has it
        }
    }

    private static String holder(Belay belay, String name) {
        List<Inspection.Claim> claims = belay.admin().inspect(name).claims();
        long waiting = claims.stream().filter(claim -> claim.place() > 0).count();
        return claims.stream()
                .filter(claim -> claim.place() == 0)
                .map(claim ->
                        "; '" + name + "' is held by " + claim.client() + "@" + claim.host() + ":" + claim.process()
                                + " (" + claim.thread() + ")"
                                + claim.held()
                                        .map(since -> " for " + since.toMillis() + " ms")
                                        .orElse("")
                                + (waiting > 0 ? ", " + waiting + " wait" : ""))
                .findFirst()
                .orElse("");
    }
}
