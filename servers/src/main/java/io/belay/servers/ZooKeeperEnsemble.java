package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** ZooKeepers that elect a leader, each in a JVM of its own. */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private final List<ZooKeeperServer> members = new ArrayList<>();

    private ZooKeeperEnsemble() {}

    /** Starts three members, and waits until each of them serves. */
    public static ZooKeeperEnsemble start() throws IOException, InterruptedException {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();
        try {
            ensemble.boot(3);
            return ensemble;
        } catch (IOException | InterruptedException | RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    private void boot(int size) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            lines.add("server." + i + "=" + Ports.HOST + ":" + Ports.free() + ":" + Ports.free());
        }
        for (int i = 1; i <= size; i++) {
            Path directory = Leftovers.directory("belay-zookeeper");
            Path data = Files.createDirectory(directory.resolve("data"));
            Files.writeString(data.resolve("myid"), Integer.toString(i));
            ZooKeeperServer member = new ZooKeeperServer(directory, Ports.free());
            members.add(member);
            member.configure(lines);
            member.boot();
        }
        for (ZooKeeperServer member : members) {
            member.awaitReady();
        }
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
