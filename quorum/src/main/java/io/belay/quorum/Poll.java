package io.belay.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A question to all members that every one answers by itself. */
final class Poll<T> extends Round {
    /** The question as it is put to one member. */
    interface Question<T> {
        void ask(Member member, Consumer<@Nullable T> then);
    }

    private final List<T> answers = new ArrayList<>();
    private final Consumer<List<T>> then;

    /** Makes a poll that tells {@code then} the answers that came in time. */
    Poll(Quorum quorum, Consumer<List<T>> then) {
        super(quorum);
        this.then = then;
    }

    void send(Question<T> question) {
        for (Member member : quorum.members) {
            question.ask(member, answer -> {
                if (answer != null && !isDecided()) {
                    answers.add(answer);
                }
                heard(member);
            });
        }
        await();
    }

    @Override
    boolean decide() {
        if (awaited() > 0) {
            return false;
        }
        then.accept(answers);
        return true;
    }
}
