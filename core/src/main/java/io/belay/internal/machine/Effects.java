package io.belay.internal.machine;

import io.belay.Release;
import io.belay.spi.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a {@link Machine} calls for. Called within the step; whatever is sent or told follows it, in this order.
 */
public interface Effects {
    /** A claim is there from now on: what the store says of it is for this machine. */
    void begun(Stay stay);

    /** Returns whether the claim's enter is to wait at home; {@link Machine#goOn} is called when it need not any more. */
    boolean delays(Stay stay);

    /** Sends a request; its answer is for {@link Machine#answered}. */
    void send(Stay stay, Request request, int number, boolean leave);

    /** Sends a renewal with others that fall due, with the same to follow. */
    void renew(Stay stay, Request.Renew request, int number);

    /** Sends what shows who has the lock; a failure is for {@link Machine#notDescribed}. */
    void describe(Stay stay, Request.Describe request);

    /** Counts an enter that was given up and may be on its way ({@code true}), or is not any more. */
    void unclear(Stay stay, boolean is);

    /** The store keeps a claim that was given back. */
    void kept(Stay stay);

    /** A claim is left: who drains the client may look again. */
    void left(Stay stay);

    /** A claim is over: nothing of it is left here. */
    void over(Stay stay);

    /** A caller has the lock; {@code handOff} if the client had it already. */
    void granted(Caller caller, boolean handOff);

    /** A caller waits. */
    void queued(Caller caller);

    /** The lock is free for a caller that is to come and take it. */
    void invited(Caller caller);

    /** A wait is over without the lock. */
    void ended(Caller caller);

    /** A caller begins to give back, and was the last one to hold by its claim: the outcome follows. */
    void releasing(Caller caller);

    /** What a caller gave back is free, or was lost, or nobody knows. */
    void released(Caller caller, Release outcome);

    /** A hold goes on under another handle, with another weight; whoever listens to the one listens to the other if {@code inside}. */
    void succeeded(Caller caller, Caller next, boolean inside);

    /** A hold is lost. */
    void lost(Caller caller, Loss loss, long now);

    /** The store's word for which somebody waits is there: what it refused and why, or nothing. */
    void told(Ticket ticket, @Nullable String refusal);

    /** An answer has told what a push should have. */
    void missedAPush();

    /** A request was not answered in its time. */
    void silence();

    /** There is something to be read by those who observe. */
    void noticed();

    /** Something for the log, of that kind. */
    void warn(String kind, String text);

    /** The store refused a claim. */
    void refused(String reason);

    /** Nobody uses the machine any more. */
    void retired();
}
