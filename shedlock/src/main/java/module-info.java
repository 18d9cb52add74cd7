/** ShedLock's locks of jobs, on any store of Belay. */
module io.belay.shedlock {
    requires transitive io.belay;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports io.belay.shedlock;
}
