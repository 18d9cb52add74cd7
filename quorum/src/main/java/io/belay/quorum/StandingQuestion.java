package io.belay.quorum;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The question how a member stands, behind requests to it. A member that lacks a script is sent it anew, behind what it was asked
 * meanwhile: where the requests are overtaken so, the question is asked once more when they have been answered.
 */
final class StandingQuestion {
    private final Member member;
    private final Consumer<Member.@Nullable Standing> then;
    private int open;
    private boolean overtook;

    /**
     * Makes the question.
     *
     * @param requests how many requests go before it
     * @param then told how the member stands; null if it has failed to say
     */
    StandingQuestion(Member member, int requests, Consumer<Member.@Nullable Standing> then) {
        this.member = member;
        open = requests;
        this.then = then;
    }

    /** Asks; to be called when the requests were sent. */
    void ask() {
        member.standing(standing -> {
            overtook = standing != null && open > 0;
            if (!overtook) {
                then.accept(standing);
            }
        });
    }

    /** Notes that one of the requests was answered, or has failed. */
    void answered() {
        open--;
        if (overtook && open == 0) {
            ask();
        }
    }
}
