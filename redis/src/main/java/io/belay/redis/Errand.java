package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An undertaking that is under way at most once at a time, in steps on several threads. A step that throws, as for want of threads or
 * memory, ends it: whoever next finds that it is not under way begins it anew. So the later steps are made before they are
 * needed: to make one then might throw, with nobody to end it. All methods may be called by any thread.
 */
final class Errand {
    private static final Log LOG = Log.of(LogName.STORE);

    private final String failed;
    private final AtomicBoolean underWay = new AtomicBoolean();

    /** Makes one that is not under way; {@code name} begins the line that tells of a step which threw. */
    Errand(String name) {
        failed = name + " failed";
    }

    /** Takes the first step, unless it is under way. */
    void begin(Runnable first) {
        if (underWay.compareAndSet(false, true)) {
            take(first);
        }
    }

    private void take(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void failed(Throwable error) {
        end();
        LOG.error(failed, error); // which needs no memory
    }

    /** Returns a step to be taken later. */
    Runnable step(Runnable step) {
        return () -> take(step);
    }

    /** Returns a step to be taken when a future is done. */
    <T> BiConsumer<T, @Nullable Throwable> step(BiConsumer<T, @Nullable Throwable> step) {
        return (result, error) -> {
            try {
                step.accept(result, error);
            } catch (Throwable e) {
                failed(e);
            }
        };
    }

    /** Ends it: it may be begun again. */
    void end() {
        underWay.set(false);
    }
}
