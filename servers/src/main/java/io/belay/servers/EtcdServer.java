package io.belay.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member of an etcd of a test's own, on free ports of 127.0.0.1, with a directory that goes with it: the program
 * {@code etcd} of the PATH, or the one that {@code BELAY_SERVERS} names. It can be killed, started again with what
 * it had, and stopped as by SIGSTOP. It ends with this JVM, unless that is killed. The directory is in memory
 * where there is room: members that share a disk with each other, and with all else that a machine does, wait for
 * it most of the time.
 *
 * <p>Starting, killing, stopping and closing is for one thread at a time.
 */
public final class EtcdServer implements Restartable, AutoCloseable {
    private static final String STATUS = "/v3/maintenance/status";
    private static final String ALARM = "/v3/maintenance/alarm";
    private static final String ADD = "/v3/cluster/member/add";
    private static final String WATCHERS = "etcd_debugging_mvcc_watcher_total ";
    private static final String LOGINS = "grpc_server_started_total{grpc_method=\"Authenticate\","
            + "grpc_service=\"etcdserverpb.Auth\",grpc_type=\"unary\"} ";
    private static final String LEADER = "etcd_server_has_leader ";
    private static final String PREFIX = "belay-etcd-";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;

    private final Path directory;
    private final String name;
    private final int port;
    private final int peers;
    /** The port at which the other members reach this one. */
    private final int advertised;

    private final @Nullable Certificates certificates;
    /** The port at which this class asks the member, without TLS. */
    private final int asked;

    private final List<String> options;

    private List<EtcdServer> cluster = List.of();
    private @Nullable Process process;

    private EtcdServer(
            String name,
            @Nullable Peers network,
            Path directory,
            @Nullable Certificates certificates,
            List<String> options)
            throws IOException {
        this.directory = directory;
        this.name = name;
        port = Ports.free();
        peers = Ports.free();
        advertised = network == null ? peers : network.to(peers);
        this.certificates = certificates;
        asked = certificates == null ? port : Ports.free();
        this.options = List.copyOf(options);
    }

    /** Returns whether there is a program to start. */
    public static boolean isInstalled() {
        return Programs.directoryOf("etcd").isPresent();
    }

    /** Starts a member that is alone. */
    public static EtcdServer start() throws IOException, InterruptedException {
        return start(null);
    }

    /**
     * Starts a member that is alone, by other options than the usual ones.
     *
     * @param certificates with them its port talks TLS only, also at 127.0.0.2, which they are not for; clients
     *     need none, but by the options {@code --client-cert-auth} and {@code --trusted-ca-file}
     * @param options as they are written on its command line
     */
    public static EtcdServer start(@Nullable Certificates certificates, String... options)
            throws IOException, InterruptedException {
        EtcdServer server = new EtcdServer("m0", null, directory(), certificates, List.of(options));
        await(List.of(server));
        return server;
    }

    /** Makes a member's directory: in memory if that has room for the first log, which etcd takes at once. */
    private static Path directory() throws IOException {
        boolean room = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM;
        return room ? Leftovers.directory(MEMORY, PREFIX) : Leftovers.directory(PREFIX);
    }

    /** Starts members that are one cluster, and waits until each answers. */
    public static List<EtcdServer> start(int members) throws IOException, InterruptedException {
        return start(members, null);
    }

    /** Does the same, with this network between the members if there is one. */
    public static List<EtcdServer> start(int members, @Nullable Peers network)
            throws IOException, InterruptedException {
        List<EtcdServer> all = new ArrayList<>();
        try {
            for (int i = 0; i < members; i++) {
                all.add(new EtcdServer("m" + i, network, directory(), null, List.of()));
            }
        } catch (IOException e) {
            all.forEach(EtcdServer::close);
            throw e;
        }
        await(all);
        return all;
    }

    /** Starts one more member beside those that are there, as a learner: it serves nobody until it is promoted. */
    public static EtcdServer startLearner(List<EtcdServer> members) throws IOException, InterruptedException {
        List<String> joins = List.of("--initial-cluster-state", "existing");
        EtcdServer learner = new EtcdServer("m" + members.size(), null, directory(), null, joins);
        List<EtcdServer> all = new ArrayList<>(members);
        all.add(learner);
        try {
            members.get(0).post(ADD, "{\"peerURLs\":[\"" + url(learner.advertised) + "\"],\"isLearner\":true}");
            learner.launch(all);
            learner.awaitLeader();
        } catch (IOException | InterruptedException e) {
            learner.close();
            throw e;
        }
        return learner;
    }

    private static void await(List<EtcdServer> all) throws IOException, InterruptedException {
        try {
            for (EtcdServer member : all) {
                member.launch(all);
            }
            for (EtcdServer member : all) {
                member.awaitLeader();
            }
        } catch (IOException | InterruptedException e) {
            all.forEach(EtcdServer::close);
            throw e;
        }
    }

    private void launch(List<EtcdServer> all) throws IOException {
        cluster = List.copyOf(all);
        List<String> members = new ArrayList<>();
        for (EtcdServer member : all) {
            members.add(member.name + "=" + url(member.advertised));
        }
        List<String> command = new ArrayList<>(List.of(
                Programs.find("etcd", "etcd-server"),
                "--name",
                name,
                "--data-dir",
                directory.resolve("data").toString(),
                "--listen-client-urls",
                certificates == null ? clients() : String.join(",", clients(), "https://127.0.0.2:" + port, url(asked)),
                "--advertise-client-urls",
                clients(),
                "--listen-peer-urls",
                url(peers),
                "--initial-advertise-peer-urls",
                url(advertised),
                "--initial-cluster",
                String.join(",", members),
                "--initial-cluster-token",
                Integer.toString(all.get(0).peers),
                "--logger",
                "zap"));
        if (certificates != null) {
            Collections.addAll(command, "--cert-file", certificates.certFile().toString());
            Collections.addAll(command, "--key-file", certificates.keyFile().toString());
        }
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        process = Leftovers.start(builder);
    }

    private String clients() {
        return (certificates == null ? "http://" : "https://") + Ports.HOST + ":" + port;
    }

    private static String url(int port) {
        return "http://" + Ports.HOST + ":" + port;
    }

    /** Waits by what its metrics say: where there are users, later versions tell their status to few of them. */
    private void awaitLeader() throws IOException, InterruptedException {
        Waiting.until("etcd has a leader", () -> metric(LEADER) > 0);
    }

    /** Returns whether what this member writes goes to no disk. */
    public boolean isInMemory() {
        return directory.startsWith(MEMORY);
    }

    /** Returns whether this member leads the others. */
    public boolean isLeader() throws IOException {
        String status = status();
        return field(status, "leader").equals(field(status, "member_id"));
    }

    /** Returns whether this member follows another that leads. */
    public boolean isFollower() throws IOException {
        return !hasNoLeader() && !isLeader();
    }

    /** Returns whether this member knows none that leads, as one that is cut off from the others. */
    public boolean hasNoLeader() throws IOException {
        return leader().equals("0");
    }

    /** Returns the names by which its {@link Peers} know this member. */
    public Set<String> names() throws IOException {
        return Set.of(Long.toHexString(Long.parseUnsignedLong(field(status(), "member_id"))), Integer.toString(peers));
    }

    private String leader() throws IOException {
        return field(status(), "leader");
    }

    /** Returns how many watches clients have begun at this member, and not ended. */
    public long watchers() throws IOException {
        return metric(WATCHERS);
    }

    /** Returns how many logins this member has been asked for since it was started, also those that it refused. */
    public long logins() throws IOException {
        return metric(LOGINS);
    }

    private long metric(String name) throws IOException {
        try (InputStream metrics = connect("/metrics").getInputStream()) {
            return new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.substring(name.length())))
                    .sum();
        }
    }

    /** Lets the whole cluster say that it has no room left, and refuse what writes, or ends that. */
    public void setFull(boolean full) throws IOException {
        alarm(full ? "ACTIVATE" : "DEACTIVATE", "NOSPACE");
    }

    /** Lets the whole cluster say that a member differs from the others, and refuse what writes. */
    public void setCorrupt() throws IOException {
        alarm("ACTIVATE", "CORRUPT");
    }

    private void alarm(String action, String alarm) throws IOException {
        post(ALARM, "{\"action\":\"" + action + "\",\"alarm\":\"" + alarm + "\",\"memberID\":\"1\"}");
    }

    private String status() throws IOException {
        return post(STATUS, "{}");
    }

    private String post(String path, String json) throws IOException {
        HttpURLConnection connection = connect(path);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
        try {
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            connection.disconnect();
        }
    }

    private HttpURLConnection connect(String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url(asked) + path).toURL().openConnection();
        connection.setConnectTimeout(2_000);
        connection.setReadTimeout((int) Pace.patience().toMillis());
        return connection;
    }

    /** Returns a number of etcd's answer, in which zero has no field. */
    private static String field(String json, String name) {
        String before = "\"" + name + "\":\"";
        int at = json.indexOf(before);
        return at < 0 ? "0" : json.substring(at + before.length(), json.indexOf('"', at + before.length()));
    }

    public int port() {
        return port;
    }

    /** The process id, another one after each {@link #restart}. */
    public long pid() {
        return process().pid();
    }

    /** Returns what the program has written since it was last started, to find out what went wrong. */
    public String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    @Override
    public boolean isAlive() {
        return process().isAlive();
    }

    @Override
    public void kill() {
        Leftovers.kill(process());
    }

    /** Starts the member again with what it had, and waits until it answers. */
    public void restart() throws IOException, InterruptedException {
        kill();
        startAgain();
        awaitLeader();
    }

    @Override
    public void startAgain() throws IOException {
        launch(cluster);
    }

    /** Starts a member that is alone again, without anything that it had, and waits until it answers. */
    public void wipe() throws IOException, InterruptedException {
        kill();
        Leftovers.delete(directory.resolve("data"));
        launch(cluster);
        awaitLeader();
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    private Process process() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("not started");
        }
        return current;
    }

    /** Kills the member and deletes its directory. */
    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        Leftovers.delete(directory);
    }
}
