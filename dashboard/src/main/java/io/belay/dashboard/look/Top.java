package io.belay.dashboard.look;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;

/** The first of many locks in the order in which people look. */
final class Top {
    private Top() {}

    /** Returns at most so many locks whose names begin with a prefix, without sorting all. */
    static List<SeenLock> of(Collection<SeenLock> locks, String prefix, int most) {
        PriorityQueue<SeenLock> worstFirst = new PriorityQueue<>(most + 1, SeenLock.ORDER.reversed());
        for (SeenLock lock : locks) {
            if (lock.name().startsWith(prefix)) {
                worstFirst.add(lock);
                if (worstFirst.size() > most) {
                    worstFirst.remove();
                }
            }
        }
        List<SeenLock> top = new ArrayList<>(worstFirst);
        top.sort(SeenLock.ORDER);
        return top;
    }
}
