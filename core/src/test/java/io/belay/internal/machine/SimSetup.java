package io.belay.internal.machine;

import io.belay.spi.Resource;
import java.util.List;

/**
 * What one search explores: who takes part and what may go wrong, each so often at most. Times are in ticks.
 *
 * @param name what it is called in the output
 * @param capacity the capacity of the resource
 * @param roles the clients
 * @param horizon the tick at which time stops
 * @param prompt whether time passes only when nothing is left to do or to deliver, so that delays can be judged; else everything
 *     may happen arbitrarily late
 * @param mishaps how often each mishap may happen
 * @param most the search gives up beyond that many states
 */
record SimSetup(String name, int capacity, List<SimRole> roles, int horizon, boolean prompt, long mishaps, int most) {
    /** How far the clock of another server is ahead, in ticks. */
    static final int SHIFT = 2;

    /** What may go wrong, or come from outside. */
    enum Mishap {
        /** A message is delivered twice. */
        DOUBLE,
        /** A message is lost. */
        LOSS,
        /** A request fails before it is run, and its client is told so. */
        FAILURE,
        /** A request fails after it was run. */
        FAILED_ANSWER,
        /** A request is refused for good. */
        UNUSABLE,
        /** A client stops for good. */
        CRASH,
        /** A client stops for a while, its clock does not. */
        STOP,
        /** A machine is suspended for a tick: its clock stands still. */
        SUSPENSION,
        /** The capacity shrinks by one. */
        RESIZE,
        /** Another server takes over, its clock {@link #SHIFT} ticks ahead. */
        FAILOVER,
        /** All grants are taken away by force. */
        EVICTION,
        /** A client's connection is lost and is there again. */
        RECONNECTION,
        /** A client drains, and is closed. */
        CLOSING,
        /** A client drains, is paused, and goes on. */
        PAUSING,
        /** Another server takes over which has missed the last write, its clock {@link #SHIFT} ticks ahead. */
        SETBACK;

        long times(long n) {
            return n << 4 * ordinal();
        }
    }

    /** A lock, nothing goes wrong, and everything may be late. */
    static SimSetup late(String name, SimRole... roles) {
        return new SimSetup(name, Resource.WHOLE, List.of(roles), 0, false, 0, 4_000_000);
    }

    /** A lock whose clients and network are prompt. */
    static SimSetup prompt(String name, SimRole... roles) {
        return new SimSetup(name, Resource.WHOLE, List.of(roles), 0, true, 0, 4_000_000);
    }

    SimSetup capacity(int n) {
        List<SimRole> same = roles.stream().map(role -> role.ofCapacity(n)).toList();
        return new SimSetup(name, n, same, horizon, prompt, mishaps, most);
    }

    SimSetup until(int tick) {
        return new SimSetup(name, capacity, roles, tick, prompt, mishaps, most);
    }

    SimSetup with(int times, Mishap mishap) {
        return new SimSetup(name, capacity, roles, horizon, prompt, mishaps + mishap.times(times), most);
    }

    SimSetup most(int n) {
        return new SimSetup(name, capacity, roles, horizon, prompt, mishaps, n);
    }

    boolean has(Mishap mishap) {
        return (mishaps >> 4 * mishap.ordinal() & 15) > 0;
    }

    /** Permits have no order of tokens, unless there is but one, a claim whose weight goes up keeps its old one, and force knows no order. */
    boolean hasTokens() {
        return !has(Mishap.EVICTION)
                && (capacity == Resource.WHOLE || capacity == 1)
                && roles.stream().allMatch(r -> r.weighings() < 2);
    }

    /** For how many ticks at most a claim may stand first in which nobody believes, while a live client waits. */
    int longestStandstill() {
        return (int) (Resource.PICK_UP / SimWorld.MICROS) + 1;
    }
}
