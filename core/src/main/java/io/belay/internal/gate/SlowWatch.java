package io.belay.internal.gate;

import io.belay.BelayOptions;
import io.belay.internal.claim.Engine;
import io.belay.internal.machine.ClientState;
import io.belay.internal.time.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/**
 * The look at those who wait, or hold, for longer than the user thinks right: one timer for a whole client, which runs
 * while there is a gate to look at. Thread-safe.
 */
final class SlowWatch extends Timers.Timer {
    /** The shortest time between two looks, in nanoseconds. */
    private static final long SHORTEST = 20_000_000;

    /** The waits after which one that was told is told again, in nanoseconds. */
    private static final long[] AGAIN = {10_000_000_000L, 60_000_000_000L, 600_000_000_000L};

    private final Engine engine;
    private final Set<Gate> gates = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final long period;

    /** The waits after which one is told, in nanoseconds. */
    private final long[] slowWaits;

    /** The time after which a hold is told, in nanoseconds; {@link Long#MAX_VALUE} for never. */
    final long longHold;

    SlowWatch(Engine engine, BelayOptions options) {
        this.engine = engine;
        long slowWait = nanosOrNever(options.slowWait());
        longHold = nanosOrNever(options.longHold());
        slowWaits = LongStream.concat(
                        LongStream.of(slowWait), LongStream.of(AGAIN).filter(later -> later > slowWait))
                .toArray();
        period = Math.max(SHORTEST, Math.min(slowWait, longHold) / 4);
    }

    private static long nanosOrNever(Duration duration) {
        return duration.isZero() ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Returns after which wait one is told that was told so often; {@link Long#MAX_VALUE} if it is not told again. */
    long tellAfter(int told) {
        return told < slowWaits.length ? slowWaits[told] : Long.MAX_VALUE;
    }

    /** Looks at a gate from now on, until it is removed; both under the gate's lock. */
    void add(Gate gate) {
        gates.add(gate);
        if (engine.state() == ClientState.OPEN && scheduled.compareAndSet(false, true)) {
            engine.timers().schedule(this, engine.time().nanos() + period);
        }
    }

    /** Looks no more, as the client lets nobody new in. */
    void stop() {
        if (scheduled.compareAndSet(true, false)) {
            engine.timers().cancel(this);
        }
    }

    void remove(Gate gate) {
        gates.remove(gate);
    }

    @Override
    public void fire(long now) {
        gates.forEach(gate -> gate.look(now));
        scheduled.set(false); // first, so that one that comes meanwhile is not left out
        if (!gates.isEmpty() && engine.state() == ClientState.OPEN && scheduled.compareAndSet(false, true)) {
            engine.timers().schedule(this, now + period);
        }
    }
}
