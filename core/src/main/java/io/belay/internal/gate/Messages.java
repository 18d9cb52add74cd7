package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.LockRefusedException;
import io.belay.internal.machine.Failure;
import io.belay.spi.Confirmation;
import io.belay.support.OneLine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The lines that tell waiters and holders what went wrong: each names the lock, what was seen and what to do. */
public final class Messages {
    private Messages() {}

    public static LockRefusedException refusal(String name, @Nullable String reason) {
        return new LockRefusedException(Failure.refused(name, reason).text(), null);
    }

    /** Returns what is said of a lost lease, which was last confirmed like that. */
    static String lost(String name, long token, Duration held, @Nullable String why, @Nullable Confirmation last) {
        return "Lost the lock '" + name + "' (token " + token + ", acquired " + held.toMillis() + " ms ago): " + why
                + (last == null || !last.isShort()
                        ? ""
                        : "; " + last.replicas() + " of the " + last.wanted() + " replicas asked for had confirmed it");
    }

    /** Returns the same loss, with who has taken the lock away. */
    static LeaseLostException forced(LeaseLostException loss, String who) {
        String by =
                OneLine.printable(who); // whoever it is has chosen what it is called, and users log what they are told
        String message = lost(loss.name(), loss.token(), loss.held(), "it was taken away by force, by " + by, null);
        return LeaseLostException.of(loss.name(), loss.token())
                .forcedBy(by)
                .held(loss.held())
                .withMessage(message);
    }
}
