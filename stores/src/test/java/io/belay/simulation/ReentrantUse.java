package io.belay.simulation;

import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.internal.gate.Holds;
import io.belay.spi.Resource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A use of the views that are owned by threads: levels, and reads inside writes. */
final class ReentrantUse {
    private final User user;
    private final World world;
    private final Dice dice;
    private final Thing thing;
    private final int variant;
    private final LockOptions options;

    ReentrantUse(User user, Thing thing, int variant) {
        this.user = user;
        world = user.world;
        dice = user.dice;
        this.thing = thing;
        this.variant = variant;
        options = thing.variants.get(variant);
    }

    void run() {
        if (thing.kind == Thing.Kind.LOCK) {
            ReentrantDistributedLock view = user.site.client().reentrantLock(thing.name, options);
            holdAndUnlock(view, lock(view, Resource.WHOLE, ""));
            return;
        }
        ReentrantDistributedReadWriteLock views = user.site.client().reentrantReadWriteLock(thing.name, options);
        if (dice.onceIn(2)) {
            Grip grip = lock(views.readLock(), 1, "read ");
            if (grip != null) {
                holdAndUnlock(views.readLock(), refusesWrite(views, grip));
            }
            return;
        }
        Grip grip = lock(views.writeLock(), Resource.WHOLE, "write ");
        if (grip != null) {
            write(views, grip);
        }
    }

    private void holdAndUnlock(ReentrantDistributedLock view, @Nullable Grip had) {
        @Nullable Grip grip = had == null ? null : hold(view, had);
        if (grip != null) {
            unlock(view, grip);
        }
    }

    private @Nullable Grip lock(ReentrantDistributedLock view, int weight, String kind) {
        boolean whole = weight == Resource.WHOLE;
        int way = dice.below(4);
        if (way == 0 && !world.has(Use.TRIES) || way == 1 && !world.has(Use.TIMED_WAITS)) {
            way = 3;
        }
        String what = kind + "view's "
                + List.of("try", "wait with a limit", "interruptible wait", "wait")
                        .get(way);
        long limit = way == 1 ? dice.magnitude(100_000, 2_000_000_000L) : way == 0 ? 0 : -1;
        Attempt attempt =
                world.ledger.begin(user.site, thing, variant, what, whole).within(limit);
        boolean had;
        try {
            had = switch (way) {
                case 0 -> view.tryLock();
                case 1 -> view.tryLock(limit, TimeUnit.NANOSECONDS);
                case 2 -> {
                    view.lockInterruptibly();
                    yield true;
                }
                default -> {
                    view.lock();
                    yield true;
                }
            };
        } catch (InterruptedException e) {
            user.interrupted(attempt);
            return null;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            user.failed(attempt, e);
            return null;
        }
        if (!had) {
            user.notHad(attempt);
            return null;
        }
        return world.ledger.got(attempt, view.lease(), weight);
    }

    /** Uses it for a while; each level more is given back at once. Returns what it has in the end, if anything. */
    private @Nullable Grip hold(ReentrantDistributedLock view, Grip had) {
        Grip grip = had;
        if (world.has(Use.LISTENERS) && dice.onceIn(2)) {
            world.ledger.listen(grip);
        }
        int rounds = dice.below(4);
        for (int i = 0; i < rounds && !world.isIdle(); i++) {
            world.scheduler.sleep(dice.magnitude(1_000, dice.onceIn(8) ? 2_000_000_000 : 2_000_000));
            Grip next = again(view, grip, grip.weight);
            if (next == grip) {
                expect(view.getHoldCount() == 2, grip, "has " + view.getHoldCount() + " levels and not 2");
                world.scheduler.sleep(dice.magnitude(1_000, 1_000_000));
                unlock(view, grip, 1);
            } else if (next != null) {
                expect(view.getHoldCount() == 1, next, "has " + view.getHoldCount() + " levels and not 1");
                grip = next;
            } else if (grip.givenBack) {
                return null;
            }
        }
        return grip;
    }

    /**
     * Locks one level more. If the lease is over, and the thread was told or had asked for that end, this begins anew.
     *
     * @return the grip if there is a level more; another one if it began anew; null if it has no more than before
     */
    private @Nullable Grip again(ReentrantDistributedLock view, Grip grip, int weight) {
        boolean waits = dice.onceIn(2);
        Attempt attempt = world.ledger.begin(
                user.site,
                thing,
                variant,
                waits ? "view's further wait" : "view's further try",
                weight == Resource.WHOLE);
        boolean had = true;
        try {
            if (waits) {
                view.lock();
            } else {
                had = view.tryLock();
            }
        } catch (LeaseLostException e) {
            world.ledger.end(attempt, "is told: " + e.getMessage());
            toldLost(grip, e);
            return null;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            isOver(grip, "fails to lock again: " + e);
            user.failed(attempt, e);
            return null;
        }
        if (had && view.lease() == grip.lease) {
            world.ledger.end(attempt, "has it once more");
            return grip;
        }
        isOver(grip, had ? "locks anew" : "cannot lock again by a try");
        if (!had) {
            user.notHad(attempt);
            return null;
        }
        return world.ledger.got(attempt, view.lease(), weight);
    }

    private void toldLost(Grip grip, LeaseLostException e) {
        // A lease that is unsure counts for lost where the store does not say, or the clock jumps after each
        // answer.
        boolean unsure = e.isUnsure();
        long since = world.scheduler.now() - 2 * world.requestTimeout;
        boolean silent =
                grip.attempt.site.isTroubled() || thing.bad > since || grip.attempt.site.machine.stepped > since;
        expect(isLost(grip) || silent, grip, "is told that it lost it: " + e.getMessage());
        expect(unsure || !grip.toldLost, grip, "is told twice that it lost it: " + e.getMessage());
        grip.toldLost |= !unsure;
    }

    /** The levels went, as they may once the thread knows that the lease is over. */
    private void isOver(Grip grip, String what) {
        LossReason reason = Holds.reason(grip.lease);
        boolean asAsked = reason == LossReason.ENDED
                || (reason == null && options.fixedLease().isPresent());
        expect(
                isLost(grip) && (asAsked || grip.toldLost),
                grip,
                what + ", though its lease runs or it was not told of its loss (" + reason + ")");
        world.ledger.givesBack(grip);
    }

    private boolean isLost(Grip grip) {
        return grip.attempt.site.closing || world.ledger.isLost(grip);
    }

    private void expect(boolean kept, Grip grip, String what) {
        if (!kept) {
            world.violate(Oracle.VIEWS, grip + ", who has " + thing + " by a view, " + what);
        }
    }

    /**
     * Asks for the write lock inside a read, which is refused while that runs. Once it is over, as it was asked to be or the
     * thread was told, the write lock is had as by anybody, and given back here.
     *
     * @return what there is to be given back then; null if there is nothing
     */
    private @Nullable Grip refusesWrite(ReentrantDistributedReadWriteLock views, Grip grip) {
        if (!dice.onceIn(8)) {
            return grip;
        }
        ReentrantDistributedLock write = views.writeLock();
        Attempt attempt = world.ledger.begin(user.site, thing, variant, "write view's wait inside a read", true);
        try {
            write.lock();
        } catch (LeaseLostException e) {
            world.ledger.end(attempt, "is told: " + e.getMessage());
            toldLost(grip, e);
            return grip;
        } catch (RuntimeException | OutOfMemoryError | PlannedError e) {
            if (e instanceof LockRefusedException && views.readLock().getHoldCount() > 0) {
                world.ledger.end(attempt, "is refused: " + e.getMessage());
                return grip;
            }
            isOver(grip, "fails to have the write lock: " + e);
            user.failed(attempt, e);
            return null;
        }
        isOver(grip, "has the write lock as well");
        Grip writing = world.ledger.got(attempt, write.lease(), Resource.WHOLE);
        unlock(write, writing);
        return null;
    }

    private void unlock(ReentrantDistributedLock view, Grip grip) {
        world.ledger.givesBack(grip);
        unlock(view, grip, 0);
        expect(view.getHoldCount() == 0, grip, "has a level left");
    }

    /** Gives a level back; that it was lost may be said only if it was. */
    private void unlock(ReentrantDistributedLock view, Grip grip, int left) {
        boolean lost = isLost(grip);
        long until = grip.attempt.site.machine.nanos() + Holds.left(grip.lease, grip.attempt.site.machine.nanos());
        try {
            view.unlock();
            if (left == 0 && lost && !grip.attempt.site.closing) {
                world.violate(Oracle.VIEWS, grip + " unlocks " + thing + " without being told that it had lost it");
            }
        } catch (LeaseLostException e) {
            long now = grip.attempt.site.machine.nanos();
            expect(
                    lost || isLost(grip) || now - until >= 0 || world.discounts.has(grip),
                    grip,
                    "is told that it lost it though its lease runs for " + (until - now) / 1000 + " us more");
            if (left == 0 && !lost) {
                world.ledger.isNotReleased(grip, e.getMessage());
            }
        }
    }

    /** A write, and maybe a read inside it which ends after it. */
    private void write(ReentrantDistributedReadWriteLock views, Grip had) {
        ReentrantDistributedLock read = views.readLock();
        ReentrantDistributedLock write = views.writeLock();
        Grip grip = hold(write, had);
        if (grip == null) {
            return;
        }
        Grip inside = dice.onceIn(2) ? again(read, grip, 1) : null;
        if (inside != grip) {
            holdAndUnlock(read, inside);
            if (!grip.givenBack) {
                unlock(write, grip);
            }
            return;
        }
        if (world.has(Use.LISTENERS) && dice.onceIn(2)) {
            world.ledger.listen(grip);
        }
        if (dice.onceIn(2)) {
            unlock(read, grip, 1);
            unlock(write, grip);
            return;
        }
        grip.changing = true; // the store may let other readers in before this one hears of it
        world.ledger.givesBack(grip);
        unlock(write, grip, 1);
        if (read.lease() == grip.lease) {
            unlock(read, grip, 0); // it was lost, so that nothing was made of it
            return;
        }
        Grip reading = world.ledger.becomes(grip, read.lease(), 1);
        reading.told.addAll(grip.told); // it is one lease to those who listen
        grip.told.clear();
        holdAndUnlock(read, reading);
    }
}
