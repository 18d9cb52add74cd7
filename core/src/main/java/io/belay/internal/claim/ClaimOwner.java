package io.belay.internal.claim;

import io.belay.internal.machine.Machine;
import io.belay.internal.machine.Sent;
import io.belay.internal.machine.Stay;
import io.belay.spi.Answer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one who has the machine to which a claim belongs, and its lock. None of this is called under a lock. */
public interface ClaimOwner {
    /** Takes the answer to a request of a claim, or its failure. */
    void answered(Stay stay, @Nullable Answer answer, @Nullable Throwable error, Sent sent);

    /** Has the machine take a step; what that calls for follows. */
    void step(Consumer<? super Machine> event);

    /** Does the same with a step that comes to something, and returns that. */
    <T extends @Nullable Object> T ask(Function<? super Machine, ? extends T> event);
}
