package io.belay.internal;

import io.belay.internal.time.Timers;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The timers of a client that have no memory for one more. */
public final class FullTimers {
    private FullTimers() {}

    /** Has the next so many timers fail to be set, for that number may be changed later. Nothing is to be scheduled. */
    public static AtomicInteger of(Timers timers, int fail, Error error) {
        AtomicInteger left = new AtomicInteger(fail);
        try {
            Field heap = Timers.class.getDeclaredField("heap");
            Field all = heap.getType().getDeclaredField("timers");
            heap.setAccessible(true);
            all.setAccessible(true);
            if (timers.size() > 0) {
                throw new IllegalStateException("something is scheduled");
            }
            all.set(heap.get(timers), new ArrayList<Timers.Timer>() {
                @Override
                public boolean add(Timers.Timer timer) {
                    if (left.getAndUpdate(now -> Math.max(0, now - 1)) > 0) {
                        throw error;
                    }
                    return super.add(timer);
                }
            });
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return left;
    }
}
