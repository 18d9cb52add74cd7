package io.belay.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Notices that nothing comes any more on a connection that pushes have to themselves. Nothing else is asked there: so
 * it could be dead for hours, and a client that waits would lose each turn of which it does not hear. It is asked for a
 * sign of life while the commands' connection is in use, once a look at most.
 *
 * <p>For one thread at a time.
 */
final class PushWatch {
    private final Supplier<? extends CompletionStage<?>> question;
    private final AnswerWatch watch = new AnswerWatch();
    private CompletableFuture<?> answer = CompletableFuture.completedFuture(null);

    /**
     * Makes a watch.
     *
     * @param question asks for a sign of life
     */
    PushWatch(Supplier<? extends CompletionStage<?>> question) {
        this.question = question;
    }

    /**
     * Looks whether nothing comes although something was asked, and asks again if that was answered.
     *
     * @param used whether the commands' connection was in use
     */
    boolean isSilent(boolean used) {
        boolean answered = answer.isDone(); // before the look, which counts it then
        boolean silent = watch.isSilent();
        if (used && answered) {
            watch.asked();
            answer = question.get().toCompletableFuture().handle((done, error) -> {
                watch.heard(); // an error is a sign of life, too
                return done;
            });
        }
        return silent;
    }
}
