package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something that is under way at most once at a time, in steps on several threads. A step that throws, as for want of threads or
 * memory, ends it: whoever next finds that it is not under way begins it anew. All methods may be called by any thread.
 */
final class Errand {
    private static final Log LOG = Log.of(LogName.STORE);

    private final String name;
    private final AtomicBoolean underWay = new AtomicBoolean();

    /** Makes one that is not under way; {@code name} begins the line that tells of a step which threw. */
    Errand(String name) {
        this.name = name;
    }

    /** Takes the first step, unless it is under way. */
    void begin(Runnable first) {
        if (underWay.compareAndSet(false, true)) {
            step(first);
        }
    }

    void step(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            end();
            LOG.warn("{} failed: {}", name, String.valueOf(e));
        }
    }

    /** Ends it: it may be begun again. */
    void end() {
        underWay.set(false);
    }
}
