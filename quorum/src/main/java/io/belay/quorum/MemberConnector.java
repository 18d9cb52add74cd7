package io.belay.quorum;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A connector to all members at once, each on a thread of its own, which goes on until its member is connected. */
final class MemberConnector {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The time that members get that are slower than a majority, in milliseconds. */
    private static final long GRACE = 500;

    private static final long LONGEST_BACK_OFF = 5_000;
    private static final long STANDING = 5_000;

    /** A way to open the store of one member. */
    interface Opener {
        Store open(Member member, Store.Listener listener);
    }

    /** The end of the first try to open a member. */
    private record First(Member member, @Nullable StoreException failure) {}

    private final Quorum quorum;
    private final QuorumStore store;
    private final Opener opener;
    private final ThreadFactory threads;
    private final BlockingQueue<First> firsts = new LinkedBlockingQueue<>();

    MemberConnector(Quorum quorum, QuorumStore store, Opener opener, ThreadFactory threads) {
        this.quorum = quorum;
        this.store = store;
        this.opener = opener;
        this.threads = threads;
    }

    /** Returns once a majority is connected, and the others too or a moment later. */
    void await() {
        try {
            for (Member member : quorum.members) {
                Thread thread = threads.newThread(() -> keepOpening(member));
                thread.setName("belay-quorum-open-" + (member.index + 1));
                thread.setDaemon(true);
                thread.start();
            }
        } catch (Throwable e) { // for want of threads: those that were started would go on for nobody
            store.close();
            throw e;
        }
        List<String> failed = new ArrayList<>();
        int connected = 0;
        while (connected + failed.size() < quorum.size) {
            First first = next(connected >= quorum.majority);
            if (first == null) {
                return;
            } else if (first.failure == null) {
                connected++;
            } else if (first.failure.isTemporary()) {
                failed.add(first.member.label + ": " + first.failure.getMessage());
            } else {
                store.close();
                throw StoreException.unusable(first.member.label + ": " + first.failure.getMessage(), first.failure);
            }
        }
        if (connected < quorum.majority) {
            store.close();
            throw StoreException.unreachable(
                    "only " + connected + " of the " + quorum.size + " members of the quorum can be reached, and "
                            + quorum.majority + " are needed; "
                            + failed.stream().sorted().collect(Collectors.joining("; ")),
                    null);
        }
    }

    private @Nullable First next(boolean enough) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return enough ? firsts.poll(GRACE, TimeUnit.MILLISECONDS) : firsts.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void keepOpening(Member member) {
        long backOff = 100;
        String told = "";
        for (int attempt = 0; !store.isClosed(); attempt++) {
            StoreException failure = open(member, attempt > 0);
            if (attempt == 0) {
                firsts.add(new First(member, failure));
            }
            if (failure == null) {
                return;
            }
            String why = String.valueOf(failure.getMessage());
            boolean hopeless = !failure.isTemporary() && !why.equals(told);
            if ((attempt == 0 || hopeless) && !store.isClosed()) {
                told = why;
                LOG.warn("{} cannot be used; going on to try: {}", member.label, why);
            }
            try {
                long left = ThreadLocalRandom.current().nextLong(backOff / 2, backOff + 1);
                for (; left > 0 && !store.isClosed(); left -= GRACE) { // else it would outlive the client
                    TimeUnit.MILLISECONDS.sleep(Math.min(left, GRACE));
                }
            } catch (InterruptedException e) {
                return; // nobody does that
            }
            backOff = Math.min(LONGEST_BACK_OFF, 2 * backOff);
        }
    }

    private @Nullable StoreException open(Member member, boolean late) {
        try {
            Store opened = opener.open(member, store.of(member));
            CompletableFuture<Optional<StoreException>> checked = new CompletableFuture<>();
            quorum.loop.run(() -> {
                if (!store.use(member, opened)) {
                    checked.complete(Optional.of(StoreException.unusable("the client was closed", null)));
                    return;
                }
                long asked = quorum.clock.nanos();
                member.standing(standing -> {
                    checked.complete(Optional.ofNullable(standing == null ? member.trouble() : twice(member)));
                    if (standing != null && isLate(asked)) { // or this process had to load what the question takes
                        measure(member);
                    }
                });
            });
            Optional<StoreException> wrong = checked.get(STANDING, TimeUnit.MILLISECONDS);
            if (wrong.isPresent()) {
                quorum.loop.run(() -> member.missing(wrong.get()));
                opened.close();
                return wrong.get();
            }
            if (late) {
                LOG.info("{} is connected", member.label);
                quorum.loop.run(() -> store.reconnected(member));
            }
            return null;
        } catch (StoreException e) {
            quorum.loop.run(() -> member.missing(e));
            return e;
        } catch (TimeoutException | InterruptedException | ExecutionException e) {
            return null; // it is connected, and may yet answer
        } catch (Throwable e) { // a driver may not even find its classes
            StoreException why = StoreException.unusable("it cannot be opened: " + e, e);
            quorum.loop.run(() -> member.missing(why));
            return why;
        }
    }

    private boolean isLate(long asked) {
        return quorum.clock.nanos() - asked > quorum.timeoutNanos;
    }

    /** Asks once more, and tells of a member that is so far away that rounds do not wait for its answers. */
    private void measure(Member member) {
        long asked = quorum.clock.nanos();
        member.standing(standing -> {
            if (standing != null && isLate(asked)) {
                LOG.warn(
                        "{} takes {} ms to answer, and is waited for {} ms: name a longer member-timeout in the URL",
                        member.label,
                        (quorum.clock.nanos() - asked) / 1_000_000,
                        quorum.timeoutNanos / 1_000_000);
            }
        });
    }

    /** Returns an error if another member is the same server: a server's run is the same under every name it has. */
    private @Nullable StoreException twice(Member member) {
        for (Member other : quorum.members) {
            if (other != member && member.run() != 0 && other.run() == member.run()) {
                return StoreException.unusable(
                        "it is the same server as " + other.label + ", and its vote would count twice", null);
            }
        }
        return null;
    }
}
