package io.belay.servers;

import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of three masters, which share the slots evenly, with a replica each. A master that is killed is
 * replaced after about two seconds.
 *
 * <p>Changes are for one thread at a time. The rest is thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    /** The number of slots that a cluster shares out among its masters. */
    public static final int SLOTS = 16_384;

    private static final int NODE_TIMEOUT_MILLIS = 1_000;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    /** Starts six servers, and waits until all of them serve as a cluster. */
    public static RedisCluster start(Version version) throws IOException, InterruptedException {
        return start(version, node -> {});
    }

    /** Does the same with servers that talk TLS only, among themselves too. */
    public static RedisCluster start(Version version, Certificates certificates)
            throws IOException, InterruptedException {
        return start(
                version, node -> node.tls(certificates).options("--tls-cluster", "yes", "--tls-replication", "yes"));
    }

    private static RedisCluster start(Version version, Consumer<RedisServerBuilder> more)
            throws IOException, InterruptedException {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < 2 * MASTERS; i++) {
                RedisServerBuilder node = RedisServer.builder(version)
                        .ports(Ports::freeForCluster)
                        .options("--cluster-enabled", "yes", "--cluster-node-timeout", "" + NODE_TIMEOUT_MILLIS)
                        // However long a replica was without its master, it takes over.
                        .options("--cluster-replica-validity-factor", "0");
                more.accept(node);
                cluster.nodes.add(node.start());
            }
            cluster.form(version);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Sets for how long a node may be silent before it is taken for dead; otherwise that is a second, and a busy
     * machine may keep one waiting for longer.
     */
    public void setNodeTimeout(Duration silence) throws IOException, InterruptedException {
        for (RedisServer node : nodes) {
            node.command("CONFIG", "SET", "cluster-node-timeout", Long.toString(silence.toMillis()));
        }
        awaitOk();
    }

    private void form(Version version) throws IOException, InterruptedException {
        for (int i = 0; i < MASTERS; i++) {
            addSlots(version, nodes.get(i), SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS - 1);
        }
        for (int i = 0; i < nodes.size(); i++) {
            // Otherwise they have to find out that all have the same. Only for nodes that have met nobody yet.
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
        }
        for (int i = 0; i < nodes.size(); i++) {
            RedisServer node = nodes.get(i);
            for (RedisServer other : nodes.subList(i + 1, nodes.size())) {
                node.command("CLUSTER", "MEET", Ports.HOST, "" + other.port());
            }
        }
        for (int i = 0; i < MASTERS; i++) {
            RedisServer replica = nodes.get(i + MASTERS);
            String master = id(nodes.get(i));
            Waiting.until("a node knows its master", () -> {
                replica.command("CLUSTER", "REPLICATE", master);
                return true;
            });
        }
        awaitOk();
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(i + MASTERS).awaitSync(nodes.get(i));
        }
        Waiting.until("every node knows every replica", () -> {
            for (RedisServer node : nodes) {
                if (ClusterLine.of(node).filter(ClusterLine::isReplica).count() != MASTERS) {
                    return false;
                }
            }
            return true;
        });
    }

    private static void addSlots(Version version, RedisServer node, int from, int to) throws IOException {
        if (version == Version.V6_2) {
            List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.rangeClosed(from, to).forEach(slot -> words.add("" + slot));
            node.command(words.toArray(String[]::new));
        } else {
            node.command("CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to);
        }
    }

    /** Returns all nodes, also those that are down: the former masters first, then their replicas in the same order. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The slot of a key. */
    public int slotOf(String key) throws IOException {
        return Integer.parseInt(alive().get(0).command("CLUSTER", "KEYSLOT", key));
    }

    /** The master of a slot, as it sees it itself. */
    public RedisServer masterOf(int slot) throws IOException {
        for (RedisServer node : alive()) {
            if (ClusterLine.of(node).anyMatch(line -> line.isSelf() && line.isMaster() && line.has(slot))) {
                return node;
            }
        }
        throw new IOException("nobody has slot " + slot);
    }

    /** Begins to move a slot: from now on it is in two halves, until the migration is finished. */
    public SlotMigration migrate(int slot, RedisServer target) throws IOException {
        return new SlotMigration(this, slot, masterOf(slot), target);
    }

    /** Kills a master, and waits until its replica has taken over and all nodes left say so. Returns the new master. */
    public RedisServer failOver(RedisServer master) throws IOException, InterruptedException {
        return failOver(master, master::kill);
    }

    /** Does the same with a master that is stopped (SIGSTOP): it has not heard of it when it goes on. */
    public RedisServer failOverStopped(RedisServer master) throws IOException, InterruptedException {
        return failOver(master, master::stop);
    }

    private interface Blow {
        void fall() throws IOException, InterruptedException;
    }

    private RedisServer failOver(RedisServer master, Blow blow) throws IOException, InterruptedException {
        String id = id(master);
        int slot = ClusterLine.of(master)
                .filter(ClusterLine::isSelf)
                .findFirst()
                .orElseThrow()
                .firstSlot();
        blow.fall();
        Waiting.until("a replica takes over", () -> {
            for (RedisServer node : alive()) {
                if (ClusterLine.of(node)
                        .noneMatch(line ->
                                line.isMaster() && line.has(slot) && !line.id().equals(id))) {
                    return false;
                }
            }
            return true;
        });
        awaitOk();
        return masterOf(slot);
    }

    /** Waits until all nodes that run say that the cluster is whole. */
    public void awaitOk() throws IOException, InterruptedException {
        Waiting.until("a cluster that is whole", () -> {
            for (RedisServer node : alive()) {
                if (!node.command("CLUSTER", "INFO").contains("cluster_state:ok")) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Returns the nodes that are not down. */
    public List<RedisServer> alive() throws IOException {
        List<RedisServer> alive = new ArrayList<>();
        for (RedisServer node : nodes) {
            if (!node.isStopped()) {
                alive.add(node);
            }
        }
        return alive;
    }

    static String id(RedisServer node) throws IOException {
        return node.command("CLUSTER", "MYID");
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
