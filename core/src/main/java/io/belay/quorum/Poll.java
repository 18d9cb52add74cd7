package io.belay.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A question to all members that every one answers by itself. */
final class Poll<T> extends Round {
    /** How one member is asked. */
    interface Question<T> {
        void ask(Member member, Consumer<@Nullable T> then);
    }

    private final List<T> answers = new ArrayList<>();
    private final Consumer<List<T>> then;

    /** {@code then} is told the answers that came in time. */
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
