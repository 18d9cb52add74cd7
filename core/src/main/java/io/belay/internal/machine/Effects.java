package io.belay.internal.machine;

import io.belay.ReleaseOutcome;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a {@link Machine} calls for. Called within the step; whatever is sent or told follows it, in this order. What
 * throws, as no memory is left, is called for again: so others may be told twice.
 */
public interface Effects {
    /** A claim is there from now on: what the store says of it is for this machine. */
    void begun(Stay stay);

    /** Returns whether the claim's enter is to wait at home; {@link Machine#sendDelayed} is called when it need not any more. */
    boolean delays(Stay stay);

    /** Sends a request; its answer is for {@link Machine#answered}. */
    void send(Stay stay, Request request, int number, boolean leave);

    /** Sends a renewal with others that fall due, with the same to follow. */
    void renew(Stay stay, Request.Renew request, int number);

    /** Sends what shows who has the lock; a failure is for {@link Machine#notDescribed}. */
    void describe(Stay stay, Request.Describe request);

    /** Counts an enter that was given up and may be on its way ({@code true}), or is not any more. */
    void unclear(Stay stay, boolean is);

    /** The store keeps a claim that was given back, for so many nanoseconds. */
    void kept(Stay stay, long nanos);

    /** A claim is over: nothing of it is left here. */
    void over(Stay stay);

    /** A caller has the lock from now on, with that token; {@code handOff} if the client had it already. */
    void granted(Caller caller, long token, boolean handOff, long now);

    /** A caller waits for what another one of this client holds. */
    default void waitsFor(Caller caller, Caller holder) {}

    /** The lock is free for a caller that is to come and take it. */
    void invited(Caller caller);

    /** A wait is over without the lock. */
    void ended(Caller caller, Failure how, long now);

    /** What a caller gave back is free, or was lost, or nobody knows: told in the step that takes it back, or later. */
    void released(Caller caller, ReleaseOutcome outcome);

    /** A hold goes on under another handle, with another weight; whoever listens to the one listens to the other if {@code inside}. */
    void succeeded(Caller caller, Caller next, boolean inside);

    /** A hold is lost. */
    void lost(Caller caller, Loss loss, long now);

    /** The store's word for which somebody waits is there: what it refused and why, or nothing. */
    void told(Caller.Ticket ticket, @Nullable String refusal);

    /** There is something to be read by those who observe. */
    void noticed();

    /** Something for the log, of that kind. */
    void warn(String kind, String text);

    /** The store refused a claim. */
    void refused(String reason);

    /** Nobody uses the machine any more. */
    void retired();
}
