package io.belay.servers;

import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Three sentinels that watch a master and its replicas, and make a replica the master when the master is gone.
 * They look more often than others do, so that a fail-over takes about a second and a half. Those that are started
 * {@link #PATIENT} replace no master until {@link #replace} is called.
 *
 * <p>Thread-safe, but closing is for one thread.
 */
public final class RedisSentinels implements AutoCloseable {
    /** The name by which the sentinels know the master. */
    public static final String NAME = "belay-main";

    private static final int LONG_MILLIS = 60_000;

    /**
     * The lines by which sentinels leave all servers as they are, though a busy machine keeps a master waiting, or a
     * replica is {@linkplain RedisServer#detach detached}.
     */
    public static final String PATIENT = lines(LONG_MILLIS, LONG_MILLIS);

    private static final int DOWN_AFTER_MILLIS = 500;
    private static final int FAILOVER_MILLIS = 2_000;
    private static final int QUORUM = 2;
    /**
     * The command that lets sentinels look often. A quicker ping is worse: they ask a replica once a second, and
     * an answer that is older than 5 pings does not count.
     */
    private static final String[] OFTEN = {
        "SENTINEL", "DEBUG", "ping-period", "300", "ask-period", "100", "info-period", "500", "publish-period", "200"
    };

    private final List<RedisServer> servers;
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels(List<RedisServer> servers) {
        this.servers = servers;
    }

    private static String lines(int downAfter, int failover) {
        return "sentinel down-after-milliseconds " + NAME + " " + downAfter + "\n" + "sentinel failover-timeout " + NAME
                + " " + failover;
    }

    /**
     * Starts a master with this many replicas, and the sentinels.
     *
     * @param configuration further lines for the sentinels, as {@link #PATIENT}
     */
    public static RedisSentinels start(Version version, int replicas, String... configuration)
            throws IOException, InterruptedException {
        List<RedisServer> servers = new ArrayList<>();
        try {
            servers.add(RedisServer.start(version));
            for (int i = 0; i < replicas; i++) {
                servers.add(RedisServer.builder(version)
                        .replicaOf(servers.get(0).port())
                        .start());
            }
            return watch(servers, configuration);
        } catch (IOException | InterruptedException | RuntimeException e) {
            servers.forEach(RedisServer::close);
            throw e;
        }
    }

    /**
     * Starts sentinels for a master, the first, and its replicas, the others.
     *
     * @param configuration further lines for the sentinels, as {@code "sentinel auth-pass belay-main secret"}
     */
    public static RedisSentinels watch(List<RedisServer> servers, String... configuration)
            throws IOException, InterruptedException {
        return watch(servers, null, configuration);
    }

    /** Does the same with sentinels that talk TLS only, with each other, with clients and with the servers. */
    public static RedisSentinels watch(
            List<RedisServer> servers, @Nullable Certificates certificates, String... configuration)
            throws IOException, InterruptedException {
        RedisSentinels started = new RedisSentinels(List.copyOf(servers));
        try {
            started.launch(certificates, List.of(configuration));
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.sentinels.forEach(RedisServer::close);
            throw e;
        }
    }

    private void launch(@Nullable Certificates certificates, List<String> configuration)
            throws IOException, InterruptedException {
        RedisServer master = servers.get(0);
        for (RedisServer replica : servers.subList(1, servers.size())) {
            replica.awaitSync(master);
        }
        List<String> lines = new ArrayList<>(List.of(
                "sentinel monitor " + NAME + " " + Ports.HOST + " " + master.port() + " " + QUORUM,
                lines(DOWN_AFTER_MILLIS, FAILOVER_MILLIS)));
        lines.addAll(configuration);
        for (RedisServer replica : servers.subList(1, servers.size())) {
            lines.add("sentinel known-replica " + NAME + " " + Ports.HOST + " " + replica.port());
        }
        for (int i = 0; i < 3; i++) {
            // Always 7.0: 6.2 cannot be told how often to look.
            RedisServerBuilder builder = RedisServer.builder(Version.V7_0).sentinel(lines);
            if (certificates != null) {
                builder.tls(certificates).options("--tls-replication", "yes");
            }
            RedisServer sentinel = builder.start();
            sentinels.add(sentinel);
            sentinel.command(OFTEN);
        }
        Waiting.until("the sentinels see each other and the replicas", () -> {
            for (RedisServer sentinel : sentinels) {
                if (!sentinel.command("INFO", "sentinel")
                        .contains("status=ok,address=" + Ports.HOST + ":" + master.port() + ",slaves="
                                + (servers.size() - 1) + ",sentinels=3")) {
                    return false;
                }
                // OK only if enough of them can be reached now.
                sentinel.command("SENTINEL", "CKQUORUM", NAME);
            }
            return true;
        });
        for (RedisServer sentinel : sentinels) {
            // Four such periods after it was detached, they would attach a replica again.
            sentinel.command("SENTINEL", "DEBUG", "publish-period", "2000");
        }
    }

    /** The sentinels, to be stopped or killed. */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /** The servers that the sentinels watch: the one that was the master first, and its replicas. */
    public List<RedisServer> servers() {
        return servers;
    }

    /** {@code 127.0.0.1:port,127.0.0.1:port,...}: where the sentinels are. */
    public String addresses() {
        return String.join(
                ",",
                sentinels.stream()
                        .map(sentinel -> Ports.HOST + ":" + sentinel.port())
                        .toList());
    }

    /** The server that is the master as the first sentinel that runs sees it. */
    public RedisServer master() throws IOException {
        return named(alive().get(0));
    }

    private List<RedisServer> alive() {
        return sentinels.stream().filter(RedisServer::isAlive).toList();
    }

    /** Waits until all sentinels that run name another master than this, and that server is one; returns it. */
    public RedisServer awaitFailover(RedisServer former) throws IOException, InterruptedException {
        Waiting.until("the sentinels name another master", () -> {
            for (RedisServer sentinel : alive()) {
                if (named(sentinel) == former) {
                    return false;
                }
            }
            return master().role().equals("master");
        });
        return master();
    }

    /**
     * Has sentinels that are {@link #PATIENT} replace a master that was killed or stopped, as others do at once: waits
     * until they have, and lets them be patient again. Returns the new master.
     */
    public RedisServer replace(RedisServer former) throws IOException, InterruptedException {
        set(DOWN_AFTER_MILLIS, FAILOVER_MILLIS);
        RedisServer next = awaitFailover(former);
        set(LONG_MILLIS, LONG_MILLIS);
        return next;
    }

    private void set(int downAfter, int failover) throws IOException {
        String set = "SENTINEL SET " + NAME + " down-after-milliseconds " + downAfter + " failover-timeout " + failover;
        for (RedisServer sentinel : alive()) {
            sentinel.command(set.split(" "));
        }
    }

    private RedisServer named(RedisServer sentinel) throws IOException {
        List<String> address = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
                .lines()
                .toList();
        return servers.stream()
                .filter(server -> Integer.toString(server.port()).equals(address.get(1)))
                .findFirst()
                .orElseThrow();
    }

    /** Closes the sentinels and the servers. */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }
}
