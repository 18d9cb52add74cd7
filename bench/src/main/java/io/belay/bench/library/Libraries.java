package io.belay.bench.library;

import io.belay.Lease;
import io.belay.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** All that are measured, Belay first. */
public final class Libraries {
    // Another setting is one more line here, and its name in the cases.
    private static final List<Library> ALL = List.of(
            new BelayLibrary(
                    "belay",
                    "As it comes: a lease of 30 s that is renewed, a slice of 2 ms, one connection, epoll.",
                    LockOptions.defaults()),
            new BelayLibrary(
                    "belay-strict",
                    "`withStrictOrder(true)`: all threads of all processes in the order of their asking.",
                    LockOptions.defaults().withStrictOrder(true)),
            new BelayLibrary(
                    "belay-async",
                    "As it comes, with `releaseAsync()`: nobody waits for the answer to a release.",
                    LockOptions.defaults(),
                    Lease::releaseAsync),
            new BelayLibrary(
                    "belay-fifo",
                    "`withBarging(false)`: the threads of a process in the order of their asking.",
                    LockOptions.defaults().withBarging(false)),
            new BelayLibrary(
                    "belay-sticky",
                    "`withSticky(1 minute)`: a process keeps the lock until another wants it.",
                    LockOptions.defaults().withSticky(Duration.ofMinutes(1))),
            new RedissonLibrary(RedissonLibrary.Setting.DEFAULT),
            new RedissonLibrary(RedissonLibrary.Setting.FEW_THREADS),
            new RedissonLibrary(RedissonLibrary.Setting.FAIR),
            new LettuceLibrary(),
            new JedisLibrary(),
            new SpringRedisLibrary(false),
            new SpringRedisLibrary(true),
            new SpringJdbcLibrary(),
            new JdkLibrary());

    private Libraries() {}

    public static List<Library> all() {
        return ALL;
    }

    public static Optional<Library> find(String name) {
        return ALL.stream().filter(library -> library.name().equals(name)).findFirst();
    }

    /** The one of this name, which must be there. */
    public static Library get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no library " + name));
    }
}
