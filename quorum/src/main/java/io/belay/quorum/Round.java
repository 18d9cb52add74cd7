package io.belay.quorum;

import java.util.List;

/**
 * A question to all members at once, decided as soon as the answers that are missing can change nothing. The round
 * waits for a silent member at most for the member timeout, and hardly at all if the member was silent the last time and the
 * others are a majority.
 */
abstract class Round {
    final Quorum quorum;
    private final boolean[] heard;
    private boolean impatient;
    private boolean over;
    private boolean decided;

    Round(Quorum quorum) {
        this.quorum = quorum;
        heard = new boolean[quorum.size];
    }

    /** Sets the time limits; to be called when everything was sent. */
    final void await() {
        if (quorum.members.stream().anyMatch(Member::isSuspect)) {
            quorum.shortly(() -> {
                // Else, once one is dead, a slow one would be as good as dead too.
                impatient = quorum.members.stream().filter(Member::isWell).count() >= quorum.majority;
                look();
            });
        }
        quorum.afterTimeout(() -> !silent().isEmpty(), () -> {
            over = true;
            silent().forEach(Member::suspect);
            look();
        });
    }

    private List<Member> silent() {
        return quorum.members.stream().filter(member -> !heard[member.index]).toList();
    }

    /** Notes that the member has said all that it was asked, or has failed to. */
    final void heard(Member member) {
        heard[member.index] = true;
        look();
    }

    /** Ends the round without an outcome. */
    final void abandon() {
        decided = true;
    }

    final void look() {
        if (!decided) {
            decided = decide();
        }
    }

    final boolean isDecided() {
        return decided;
    }

    /** Returns whether the member may still say something in time. */
    final boolean isAwaited(Member member) {
        return !heard[member.index] && !over && !(impatient && member.isSuspect());
    }

    final int awaited() {
        return (int) quorum.members.stream().filter(this::isAwaited).count();
    }

    /** Looks at what was said; returns whether the round is decided, in which case the outcome has been told. */
    abstract boolean decide();
}
