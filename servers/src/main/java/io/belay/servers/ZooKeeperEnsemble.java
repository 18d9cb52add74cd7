package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** ZooKeepers that elect a leader, each in a JVM of its own. */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private static final int SIZE = 3;

    private final List<ZooKeeperServer> members = new ArrayList<>();

    private ZooKeeperEnsemble() {}

    /** Starts three members, and waits until each of them serves. */
    public static ZooKeeperEnsemble start() throws IOException, InterruptedException {
        return start(null);
    }

    /** Does the same, with this network between the members if there is one. */
    public static ZooKeeperEnsemble start(@Nullable Peers network) throws IOException, InterruptedException {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();
        try {
            ensemble.boot(network);
            return ensemble;
        } catch (IOException | InterruptedException | RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    private void boot(@Nullable Peers network) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        List<Set<String>> names = new ArrayList<>();
        for (int i = 1; i <= SIZE; i++) {
            int data = Ports.free();
            int election = Ports.free();
            lines.add("server." + i + "=" + Ports.HOST + ":" + data + ":" + election);
            names.add(Set.of("member-" + i, Integer.toString(data), Integer.toString(election)));
        }
        for (int i = 1; i <= SIZE; i++) {
            Path directory = Leftovers.directory("belay-zookeeper");
            Path data = Files.createDirectory(directory.resolve("data"));
            Files.writeString(data.resolve("myid"), Integer.toString(i));
            List<String> options = network == null ? List.of() : through(network.from("member-" + i));
            ZooKeeperServer member = new ZooKeeperServer(directory, Ports.free(), names.get(i - 1), options);
            members.add(member);
            member.configure(lines);
            member.startAgain();
        }
        for (ZooKeeperServer member : members) {
            member.awaitReady();
        }
    }

    /**
     * Returns the options by which a member's JVM uses a proxy: members tell each other their addresses, so what
     * lies between them cannot have others.
     */
    private static List<String> through(int socks) {
        return List.of("-DsocksProxyHost=" + Ports.HOST, "-DsocksProxyPort=" + socks, "-DsocksNonProxyHosts=");
    }

    public List<ZooKeeperServer> members() {
        return List.copyOf(members);
    }

    /** The member that leads now. */
    public ZooKeeperServer leader() throws IOException, InterruptedException {
        Waiting.until("a member leads", () -> members.stream().anyMatch(ZooKeeperServer::isLeader));
        return members.stream()
                .filter(ZooKeeperServer::isLeader)
                .findFirst()
                .orElseThrow(() -> new IOException("the leader has just gone"));
    }

    public String url() {
        return "zookeeper://" + members.stream().map(ZooKeeperServer::address).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        members.forEach(ZooKeeperServer::close);
    }
}
