package io.belay.internal.primitive;

import io.belay.DistributedLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Messages;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** The semaphore that users see: each acquisition is a claim of its own, as heavy as it has permits. */
public final class Semaphore extends Primitive implements DistributedSemaphore {
    private static final String MAYBE_DONE = ", which may or may not have been done,";

    private final LockOptions options;
    private final boolean joined;

    /** The number of permits as it was last said, or seen; 0 while it is not known. */
    private volatile int total;

    /** True if this object takes the number from the store, as it joined the semaphore or has resized it. */
    volatile boolean learns;

    /** Makes one that has so many permits, or as many as the store says. */
    public Semaphore(Gates gates, String name, OptionalInt permits, LockOptions options) {
        super(DistributedSemaphore.class, gates, name);
        this.options = options;
        joined = permits.isEmpty();
        learns = joined;
        total = joined ? 0 : checked(permits.getAsInt());
    }

    private int checked(int permits) {
        if (permits < 1 || permits == Resource.WHOLE) {
            throw new IllegalArgumentException("The semaphore '" + name + "' cannot have " + permits
                    + " permits; give it 1 to " + (Resource.WHOLE - 1));
        }
        return permits;
    }

    @Override
    public DistributedLock permits(int permits) {
        int known = total();
        if (permits > known && learns) {
            known = learned(inspect()); // there may be more by now
        }
        if (permits < 1 || permits > known) {
            throw new IllegalArgumentException("The semaphore '" + name + "' has " + known + " permits, so " + permits
                    + " of them can never be had");
        }
        return new Permits(this, gates, known, permits, options);
    }

    @Override
    public int total() {
        int known = total;
        return known > 0 ? known : learned(inspect());
    }

    private Store.Snapshot inspect() {
        checkSharing();
        return look("Inspecting the semaphore");
    }

    /** Returns how many permits there are by what was seen, or were when anybody used the semaphore last. */
    int learned(Store.Snapshot seen) {
        int capacity = capacity(seen).orElse(total);
        if (capacity == 0 || capacity == Resource.WHOLE) {
            throw new LockRefusedException(
                    "The semaphore '" + name + "' cannot be joined: "
                            + (capacity == 0
                                    ? "nobody uses it now, so it is not known how many permits it has. Say how many"
                                            + " (semaphore(name, permits)), or have the number kept (resize)"
                                    : "its name is in use as something else"),
                    null);
        }
        if (learns) {
            total = capacity;
        }
        return capacity;
    }

    @Override
    public int available() {
        Store.Snapshot seen = inspect();
        return (int) Math.max(
                0, learned(seen) - holders(seen).mapToLong(Claim::weight).sum());
    }

    @Override
    public void resize(int permits) {
        checked(permits);
        boolean learnt = learns;
        learns = true; // first: without an answer it may have been done
        Answer answer = send(Request.Resize.of(name, permits), "Resizing the semaphore '" + name + "'" + MAYBE_DONE);
        if (answer.state() == Answer.State.REFUSED) {
            learns = learnt;
            throw Messages.refusal(name, answer.refusal());
        }
        total = permits;
    }

    @Override
    public boolean delete() {
        Answer answer = send(Request.Resize.of(name, 0), "Deleting the semaphore '" + name + "'" + MAYBE_DONE);
        boolean forgotten = answer.state() == Answer.State.LEFT;
        if (forgotten && joined) {
            total = 0;
        }
        return forgotten;
    }

    @Override
    public Lease reduceTo(Lease lease, int permits) {
        Hold hold = own(Objects.requireNonNull(lease, "lease"));
        int had = hold.claim().weight();
        if (permits < 1 || permits >= had) {
            throw new IllegalArgumentException("The lease has " + had + " permits of the semaphore '" + name
                    + "', which cannot be reduced to " + permits);
        }
        return reduced(hold, permits, false, "cannot be reduced now");
    }

    @Override
    public String ticket(Lease lease) {
        Hold hold = own(Objects.requireNonNull(lease, "lease"));
        hold.ensureHeld();
        return new Ticket(hold.claim().id, hold.claim().sequence()).text(name);
    }

    @Override
    public ReleaseOutcome giveBack(String ticket) {
        Ticket handed = Ticket.parse(name, Objects.requireNonNull(ticket, "ticket"));
        String what = "Giving back permits of the semaphore '" + name + "'" + MAYBE_DONE;
        Optional<Hold> own = gates.hold(name, handed.id());
        if (own.isPresent()) {
            ReleaseOutcome outcome = own.get().releaseAtOnce(); // as it is done from elsewhere
            if (outcome == ReleaseOutcome.UNKNOWN) {
                throw new StoreUnavailableException(what + " failed: the store did not tell in time", null);
            }
            return outcome;
        }
        if (holders(engine.await(() -> engine.inspect(name), what)).noneMatch(handed::isOf)) {
            return ReleaseOutcome.ALREADY_LOST;
        }
        Answer answer = send(Request.Leave.of(name, handed.id(), false), what);
        return answer.state() == Answer.State.LEFT ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_LOST;
    }
}
