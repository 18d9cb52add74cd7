package io.belay.internal.machine;

/** A caller in the search, and what it was told. */
final class SimCaller extends Caller {
    private final boolean thread;
    final boolean patient;
    /** How often it was told how its wait ended, that it lost what it held, and what became of its release. */
    int ends;

    int losses;
    int releases;
    /** The weight that it had when it began to give it back. */
    int weight;

    SimCaller(SimRole.Call call) {
        super(call.asks(), call.ifFree());
        thread = call.thread();
        patient = call.patient();
    }

    private SimCaller(SimCaller former, long now) {
        super(former, now);
        thread = former.thread;
        patient = former.patient;
        ends = 1;
    }

    @Override
    public String threadName() {
        return "";
    }

    @Override
    protected boolean isThread() {
        return thread;
    }

    @Override
    protected Caller successor(long now) {
        return new SimCaller(this, now);
    }

    /** Returns whether it was given the lock and has neither begun to give it back nor been told that it is lost. */
    boolean holds() {
        return stay() != null && !isReleased() && losses == 0;
    }

    /** Returns whether its user is told that it is held. */
    boolean believes(long now, long wallOffset) {
        Stay by = stay();
        return by != null
                && holds()
                && by.until() - now > 0
                && (limit() == NEVER || limit() - now > 0)
                && !by.isUnsure(wallOffset);
    }

    /** Returns whether its lock is to stay taken though it holds it no more, which it may think better of. */
    boolean mayKeepNoLonger(long now) {
        return asks.atLeast > 0 && stay() != null && !holds() && isKept(now);
    }

    /** Returns whether nothing of it is to come. */
    boolean isDone(long now) {
        return failure() != null && ends > 0 || releases > 0 && !mayKeepNoLonger(now);
    }
}
