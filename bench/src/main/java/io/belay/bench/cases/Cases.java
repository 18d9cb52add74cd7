package io.belay.bench.cases;

import io.belay.bench.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The list of all cases, in the order in which they are measured. */
public final class Cases {
    /** The stores but for the databases: peers have nothing but locks there, and a run is to be short. */
    private static final Set<Store> SERVICES = Set.of(Store.REDIS, Store.ETCD, Store.ZOOKEEPER);

    /** The services, and the store without a server. */
    private static final Set<Store> BESIDES = Set.of(Store.REDIS, Store.ETCD, Store.ZOOKEEPER, Store.MEMORY);

    private static final Store[] SERVERS = Store.SERVERS.toArray(Store[]::new);

    private static final List<Case> ALL = List.of(
            new FreeCase(1, Set.of(Store.values())),
            new FreeCase(32, BESIDES),
            HotCase.empty(1, 8, Store.ETCD, Store.ZOOKEEPER, Store.POSTGRESQL, Store.MARIADB),
            HotCase.empty(1, 16, Store.REDIS, Store.MEMORY),
            HotCase.empty(1, 32, Store.REDIS),
            HotCase.empty(4, 4, SERVERS),
            HotCase.empty(8, 2, Store.REDIS),
            HotCase.strict(4, 4, SERVERS),
            HotCase.busy(4, 4, SERVERS),
            new ReadWriteCase(4, 4, SERVICES),
            new PermitCase(1, 1, BESIDES),
            new PermitCase(4, 4, SERVICES),
            new HandoffCase(),
            new ReentrantCase(),
            new StickyCase(),
            new StickyMoveCase(),
            new TryBusyCase(),
            new RenewalsCase(),
            new NamesCase(),
            new VirtualCase());

    private Cases() {}

    public static List<Case> all() {
        return ALL;
    }

    /** Returns the cases that are measured on a store. */
    public static List<Case> all(Store store) {
        return ALL.stream().filter(one -> one.stores().contains(store)).toList();
    }

    public static Optional<Case> find(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
    }
}
