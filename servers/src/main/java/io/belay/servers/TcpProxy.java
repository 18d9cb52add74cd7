package io.belay.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A stretch of network between clients and a server of this machine, which fails as it is told to. It listens on a port
 * of its own. Thread-safe.
 *
 * <p>What a Redis or a ZooKeeper sends is split into replies and pushes. Over TLS, and from an etcd, these cannot
 * be told apart: there, whatever comes at once counts as one reply.
 */
public final class TcpProxy implements AutoCloseable {
    private enum Mode {
        PASSING,
        SILENT,
        SILENT_REQUESTS,
        SILENT_REPLIES,
        CUT,
        CLOSED;

        boolean holdsRequests() {
            return this == SILENT || this == SILENT_REQUESTS;
        }

        boolean holdsReplies() {
            return this == SILENT || this == SILENT_REPLIES;
        }

        boolean isClosed() {
            return this == CUT || this == CLOSED;
        }
    }

    private final String scheme;
    private volatile int serverPort;
    private final Function<Byte, Frames> dialect;
    private final Predicate<byte[]> pushes;
    private final int port;
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger doubled = new AtomicInteger();
    private final AtomicBoolean loseNext = new AtomicBoolean();
    private volatile Predicate<byte[]> unwanted = frame -> false;
    private volatile long delayNanos;
    private volatile boolean doublesScripts;

    private final Object lock = new Object();
    // These two under the lock.
    private final Set<Link> links = new LinkedHashSet<>();
    private Mode mode = Mode.PASSING;
    // These two under this object's own lock, which who changes the mode holds all the while.
    private ServerSocket listener;
    private CompletableFuture<Void> acceptor;

    private TcpProxy(String scheme, int serverPort, Function<Byte, Frames> dialect, Predicate<byte[]> pushes)
            throws IOException {
        this.dialect = dialect;
        this.pushes = pushes;
        this.scheme = scheme;
        this.serverPort = serverPort;
        listener = Ports.listen();
        port = listener.getLocalPort();
        acceptor = accept();
    }

    /** Starts a proxy before this server. It connects anew for each client, so the server may come and go. */
    public static TcpProxy to(RedisServer server) throws IOException {
        return new TcpProxy(
                server.scheme(),
                server.port(),
                first -> RespFrames.canBegin(first) ? new RespFrames() : new Chunks(),
                RespText::isPush);
    }

    /** Does the same before a ZooKeeper. */
    public static TcpProxy to(ZooKeeperServer server) throws IOException {
        return new TcpProxy("zookeeper", server.port(), first -> new ZooKeeperFrames(), ZooKeeperFrames::isEvent);
    }

    /** Does the same before a member of an etcd. */
    public static TcpProxy to(EtcdServer server) throws IOException {
        return new TcpProxy("etcd", server.port(), first -> new Chunks(), push -> false);
    }

    /** Does the same before a MongoDB. */
    public static TcpProxy to(MongoServer server) throws IOException {
        return new TcpProxy("mongodb", server.port(), first -> new MongoFrames(), MongoFrames::isMore);
    }

    /**
     * Does the same before another server, whose {@code url(int port)} says how to connect. Whatever comes at once
     * counts as one reply.
     */
    public static TcpProxy to(ServerProcess server) throws IOException {
        return to(server.port());
    }

    /** Does the same before whatever listens at that port. */
    public static TcpProxy to(int port) throws IOException {
        return new TcpProxy("tcp", port, first -> new Chunks(), push -> false);
    }

    /** The port to connect to. It stays the same. */
    public int port() {
        return port;
    }

    /** The server's URL, but with this proxy's port. */
    public String url() {
        return scheme + "://" + Ports.HOST + ":" + port;
    }

    /** Returns the number of connections that are open. */
    public int connections() {
        synchronized (lock) {
            return links.size();
        }
    }

    /** Returns the number of connections that there have been. */
    public int accepted() {
        return accepted.get();
    }

    /** Returns the number of frames that {@link #drop} has swallowed. */
    public int dropped() {
        return dropped.get();
    }

    /** Returns the number of requests that {@link #doubleScripts} has sent twice. */
    public int doubled() {
        return doubled.get();
    }

    /** Ends every fault: connections are accepted, and what was held back is delivered. */
    public synchronized void pass() {
        delayNanos = 0;
        unwanted = frame -> false;
        loseNext.set(false);
        doublesScripts = false;
        if (become(Mode.PASSING) == Mode.CUT) {
            listen();
        }
    }

    /** Closes all connections, and refuses new ones. */
    public synchronized void cut() {
        become(Mode.CUT);
        disconnect();
    }

    /** Holds back what both sides send, even that they close: a partition, of which nobody is told. */
    public synchronized void silence() {
        become(Mode.SILENT);
    }

    /**
     * Ends the server's side of all connections that there are, of which their clients hear nothing: what they send is
     * swallowed, and nothing comes. New connections pass. Returns how many connections that were.
     */
    public int halfOpen() {
        List<Link> open;
        synchronized (lock) {
            open = List.copyOf(links);
        }
        return (int) open.stream().filter(Link::loseServer).count();
    }

    /** Does the same to one connection alone, which of those that there are was made first. */
    public void halfOpenFirst() {
        Link first;
        synchronized (lock) {
            first = links.iterator().next();
        }
        first.loseServer();
    }

    /** Holds back what clients send, while what the server sends passes. */
    public synchronized void silenceRequests() {
        become(Mode.SILENT_REQUESTS);
    }

    /** Holds back what the server sends, while what clients send passes and is done. */
    public synchronized void silenceReplies() {
        become(Mode.SILENT_REPLIES);
    }

    /** Sends each EVAL and EVALSHA twice in a row, and swallows the reply to the second. */
    public void doubleScripts() {
        doublesScripts = true;
    }

    /** Swallows the frames from the server that a test does not want to arrive. */
    public void drop(Predicate<byte[]> unwanted) {
        this.unwanted = unwanted;
    }

    /** Swallows messages on channels, in RESP2 and in RESP3; that a SUBSCRIBE succeeded gets through. */
    public void dropMessages() {
        drop(RespText::isMessage);
    }

    /**
     * Swallows all pushes: of RESP3 messages, what answers a SUBSCRIBE, and invalidations; of a ZooKeeper what
     * watches tell; of a MongoDB what change streams tell, even that there is nothing. The proxy does not know
     * those of an etcd.
     */
    public void dropPushes() {
        drop(pushes);
    }

    /** Leads the connections that are made from now on to another server, as a reused address does. */
    public void leadTo(RedisServer other) {
        serverPort = other.port();
    }

    /** Delivers what the server sends from now on only after this time, in its order. */
    public void delayReplies(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Swallows the next frame from the server that is not a push or message, and closes its connection. */
    public void loseNextReply() {
        loseNext.set(true);
    }

    /** Closes all connections and stops listening. */
    @Override
    public synchronized void close() {
        become(Mode.CLOSED);
        disconnect();
    }

    private Mode become(Mode next) {
        synchronized (lock) {
            Mode before = mode;
            if (before == Mode.CLOSED && next != Mode.CLOSED) {
                throw new IllegalStateException("closed");
            }
            if (before == Mode.CUT && (next.holdsRequests() || next.holdsReplies())) {
                throw new IllegalStateException("cut: there is nothing to be silent on");
            }
            mode = next;
            lock.notifyAll();
            return before;
        }
    }

    private void disconnect() {
        Sockets.close(listener);
        // As long as its thread waits in there, the system goes on to accept, and nobody else can have the port.
        acceptor.join();
        List<Link> ended;
        synchronized (lock) {
            ended = List.copyOf(links);
        }
        ended.forEach(Link::close);
    }

    private void listen() {
        try {
            listener = Ports.listenAgain(port);
        } catch (IOException e) {
            become(Mode.CUT);
            throw new UncheckedIOException(e);
        }
        acceptor = accept();
    }

    private CompletableFuture<Void> accept() {
        ServerSocket on = listener;
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        while (true) {
                            connect(on.accept());
                        }
                    } catch (IOException e) {
                        // It has been closed.
                    }
                },
                task -> Sockets.daemon("belay-proxy-" + port, task::run).start());
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            server.connect(Ports.address(serverPort));
            Link link = new Link(this, client, server);
            synchronized (lock) {
                if (mode.isClosed()) {
                    throw new IOException("cut while it was accepted");
                }
                accepted.incrementAndGet();
                links.add(link);
                link.start();
            }
        } catch (IOException e) {
            // The server is down, or the proxy: the client learns it from this.
            Sockets.close(client);
            Sockets.close(server);
        }
    }

    // ---- What its links ask ----

    /** Waits until what clients send may pass. What a silence held back does not slip out when a cut follows it. */
    void awaitRequestsPass() throws IOException, InterruptedException {
        awaitNot(Mode::holdsRequests);
    }

    /** Waits until what the server sends may pass. */
    void awaitRepliesPass() throws IOException, InterruptedException {
        awaitNot(Mode::holdsReplies);
    }

    private void awaitNot(Predicate<Mode> holds) throws IOException, InterruptedException {
        synchronized (lock) {
            while (holds.test(mode)) {
                lock.wait();
            }
            if (mode.isClosed()) {
                throw new IOException("cut");
            }
        }
    }

    boolean doubles(byte[] request) {
        boolean doubles = doublesScripts && RespText.isScript(request);
        if (doubles) {
            doubled.incrementAndGet();
        }
        return doubles;
    }

    boolean drops(byte[] frame) {
        boolean drops = unwanted.test(frame);
        if (drops) {
            dropped.incrementAndGet();
        }
        return drops;
    }

    boolean losesReply() {
        return loseNext.compareAndSet(true, false);
    }

    /** Returns a splitter for a stream of the server that begins with that byte. */
    Frames frames(byte first) {
        return dialect.apply(first);
    }

    long delayNanos() {
        return delayNanos;
    }

    void ended(Link link) {
        synchronized (lock) {
            links.remove(link);
        }
    }
}
