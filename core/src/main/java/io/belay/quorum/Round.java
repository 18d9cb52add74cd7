package io.belay.quorum;

/**
 * Something that is asked of all members at once, and decided as soon as the answers that are missing can change nothing.
 * Who is silent is waited for at most for the member timeout, and hardly at all if it was silent the last time.
 */
abstract class Round {
    /** What a member that was silent before gets of the timeout. */
    private static final int IMPATIENCE = 10;

    final Quorum quorum;
    private final boolean[] heard;
    private boolean impatient;
    private boolean over;
    private boolean decided;

    Round(Quorum quorum) {
        this.quorum = quorum;
        heard = new boolean[quorum.size];
    }

    /** Called when everything was sent. */
    final void await() {
        if (quorum.members.stream().anyMatch(Member::isSuspect)) {
            quorum.later(quorum.timeoutNanos / IMPATIENCE, () -> {
                impatient = true;
                look();
            });
        }
        quorum.later(quorum.timeoutNanos, () -> {
            over = true;
            for (Member member : quorum.members) {
                if (!heard[member.index]) {
                    member.suspect();
                }
            }
            look();
        });
    }

    /** Waits no longer for those who are slow. */
    final void hurry() {
        quorum.later(quorum.timeoutNanos / IMPATIENCE, () -> {
            over = true;
            look();
        });
    }

    /** The member has said all that it was asked, or has failed to. */
    final void heard(Member member) {
        heard[member.index] = true;
        look();
    }

    private void look() {
        if (!decided) {
            decided = decide();
        }
    }

    final boolean isDecided() {
        return decided;
    }

    /** Whether it may still say something in time. */
    final boolean isAwaited(Member member) {
        return !heard[member.index] && !over && !(impatient && member.isSuspect());
    }

    final int awaited() {
        return (int) quorum.members.stream().filter(this::isAwaited).count();
    }

    /** Looks at what was said; returns whether it is decided, in which case it has been told. */
    abstract boolean decide();
}
