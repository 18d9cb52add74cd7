package io.belay.bench.store;

import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A store on which libraries are measured beside each other. */
public enum Store {
    REDIS("Redis", "One server, as it comes, that writes nothing to a disk.") {
        @Override
        public StoreServer start() throws IOException, InterruptedException {
            return RedisStore.start();
        }
    },
    ETCD(
            "etcd",
            "One server, as it comes, with its directory in memory (`/dev/shm`) where the machine has room there, so that the disk"
                    + " is nowhere in the figures. Its version is Debian's; [for use](etcd.md#what-to-know) there are better ones.") {
        @Override
        public StoreServer start() throws IOException, InterruptedException {
            return EtcdStore.start();
        }
    },
    ZOOKEEPER(
            "ZooKeeper",
            "One server in a JVM of its own (`-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m`), which does not wait for"
                    + " its disk (`zookeeper.forceSync=no`), so that the disk is nowhere in the figures.") {
        @Override
        public StoreServer start() throws IOException, InterruptedException {
            return ZooKeeperStore.start();
        }
    },
    POSTGRESQL(
            "PostgreSQL",
            "One server, as it comes, but with `fsync=off`: no commit waits for the disk, so that the disk is nowhere in the"
                    + " figures; and with `max_connections=300`, since all libraries of a case stay connected.") {
        @Override
        public StoreServer start() throws IOException, InterruptedException {
            return SqlStore.postgresql();
        }
    },
    MARIADB(
            "MariaDB",
            "One server with `innodb_flush_log_at_trx_commit=2` and `debug-no-sync`: no commit waits for the disk, so that the"
                    + " disk is nowhere in the figures; a redo log of 8 MB, a buffer pool of 32 MB, and"
                    + " `max_connections=300`, since all libraries of a case stay connected.") {
        @Override
        public StoreServer start() throws IOException, InterruptedException {
            return SqlStore.mariadb();
        }
    },
    MEMORY(
            "`memory:`",
            "None: the locks are in the process that takes them, so that the figures are of the client alone, which is the"
                    + " same for each store.") {
        @Override
        public StoreServer start() {
            return new MemoryStore();
        }
    };

    /** The stores that are elsewhere, so that several processes can share locks. */
    public static final Set<Store> SERVERS = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(MEMORY)));

    private final String proper;
    private final String settings;

    Store(String proper, String settings) {
        this.proper = proper;
        this.settings = settings;
    }

    /** Starts a server of the store, and waits until it answers. */
    public abstract StoreServer start() throws IOException, InterruptedException;

    /** Returns the store's name as it is spelled in text. */
    public String proper() {
        return proper;
    }

    /** Returns how the store's server is set up, in a sentence for the report. */
    public String settings() {
        return settings;
    }

    /** Returns the store's name on the command line and in reports. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the title, which the command line shows. */
    @Override
    public String toString() {
        return title();
    }
}
