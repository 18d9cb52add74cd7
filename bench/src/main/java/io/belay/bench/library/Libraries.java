package io.belay.bench.library;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.bench.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of all libraries that are measured on a store, Belay first. */
public final class Libraries {
    private static final List<Library> REDIS = on(
            Store.REDIS,
            List.of(
                    new RedissonLibrary(RedissonLibrary.Setting.DEFAULT),
                    new RedissonLibrary(RedissonLibrary.Setting.FEW_THREADS),
                    new RedissonLibrary(RedissonLibrary.Setting.FAIR),
                    new LettuceLibrary(),
                    new JedisLibrary(),
                    new SpringRedisLibrary(false),
                    new SpringRedisLibrary(true),
                    SpringJdbcLibrary.inProcess()));
    private static final List<Library> ETCD = on(Store.ETCD, List.of(new JetcdLibrary()));
    private static final List<Library> ZOOKEEPER = on(Store.ZOOKEEPER, List.of(new CuratorLibrary()));
    private static final List<Library> POSTGRESQL = onSql(Store.POSTGRESQL);
    private static final List<Library> MARIADB = onSql(Store.MARIADB);
    private static final List<Library> MEMORY = on(Store.MEMORY, List.of());

    private Libraries() {}

    public static List<Library> all(Store store) {
        return switch (store) {
            case REDIS -> REDIS;
            case ETCD -> ETCD;
            case ZOOKEEPER -> ZOOKEEPER;
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case MEMORY -> MEMORY;
        };
    }

    private static List<Library> onSql(Store store) {
        return on(
                store,
                List.of(
                        SpringJdbcLibrary.on(store),
                        SpringJdbcLibrary.tuned(store),
                        new UniqueKeyLibrary(store),
                        new ShedLockLibrary(store)));
    }

    private static List<Library> on(Store store, List<Library> peers) {
        return Stream.of(belay(store), peers, List.<Library>of(new JdkLibrary()))
                .flatMap(List::stream)
                .toList();
    }

    // Another setting is one more line here, and its name in the cases.
    private static List<Library> belay(Store store) {
        String way = switch (store) {
            case REDIS -> "a lease of 30 s that is renewed, a slice of 2 ms, one connection, epoll.";
            case ETCD -> "a lease of 30 s that is renewed, a slice of 2 ms, one jetcd client.";
            case ZOOKEEPER -> "a lease of 30 s that is renewed, a slice of 2 ms, one session.";
            case POSTGRESQL ->
                "a lease of 30 s that is renewed, a slice of 10 ms, two connections and one that listens.";
            case MARIADB ->
                "a lease of 30 s that is renewed, a slice of 10 ms, two connections; a waiter looks every 2 ms at first.";
            case MEMORY -> "a lease of 30 s that is renewed, a slice of 2 ms.";
        };
        return List.of(
                BelayLibrary.locking(store, "belay", "As it comes: " + way, LockOptions::defaults),
                BelayLibrary.locking(
                        store,
                        "belay-strict",
                        "`withStrictOrder(true)`: all threads of all processes in the order of their asking.",
                        () -> LockOptions.defaults().withStrictOrder(true)),
                new BelayLibrary(
                        store,
                        "belay-async",
                        "As it comes, with `releaseAsync()`: nobody waits for the answer to a release.",
                        BelayOptions::defaults,
                        // No method reference: another build that lacks the method is to fail in this setting alone.
                        lease -> {
                            Object unused = lease.releaseAsync();
                        }),
                new BelayLibrary(
                        store,
                        "belay-parked",
                        "`withSpin(0)`: a thread that waits for an answer parks at once, which costs less processor time.",
                        () -> BelayOptions.defaults().withSpin(Duration.ZERO),
                        Lease::release),
                BelayLibrary.locking(
                        store,
                        "belay-fifo",
                        "`withBarging(false)`: the threads of a process in the order of their asking.",
                        () -> LockOptions.defaults().withBarging(false)),
                BelayLibrary.locking(
                        store,
                        "belay-sticky",
                        "`withSticky(1 minute)`: a process keeps the lock until another wants it.",
                        () -> LockOptions.defaults().withSticky(Duration.ofMinutes(1))));
    }

    public static Optional<Library> find(Store store, String name) {
        return all(store).stream()
                .filter(library -> library.name().equals(name))
                .findFirst();
    }

    /** Returns the library of this name, which must be there. */
    public static Library get(Store store, String name) {
        return find(store, name).orElseThrow(() -> new IllegalArgumentException("no library " + name + " on " + store));
    }
}
