package io.belay.file;

import io.belay.spi.Push;
import io.belay.support.DaemonThread;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connections to other clients, and the thread that reads from them. A connection carries pushes both ways and
 * stays until one end closes. The other end may only have lost it; whether it has died, another attempt to connect
 * tells.
 */
final class ClientLinks {
    /** The connections in a row that may end at once before it takes a new reason to try again. */
    private static final int TRIES = 100;

    /** The longest that the last pushes may take, in milliseconds. */
    private static final long LAST_WORDS = 1_000;

    private final Endpoint endpoint;
    private final long client;
    private final Events events;
    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<Long, ClientLink> links = new ConcurrentHashMap<>();
    /** The clients that were to be watched within the last second. */
    private final Set<Long> sought = ConcurrentHashMap.newKeySet();

    private final Thread thread;
    private ServerSocketChannel server;
    private volatile boolean closed;

    /** The receiver of what the wire's thread reports. None of its methods may block. */
    interface Events {
        void received(Push push);

        /** Reports that a client cannot be reached, and that the push for it, if any, was not sent. */
        void unreached(long client, Endpoint.Outcome why, @Nullable Push push);

        /** Reports that the directory, or this client's place in it, has been removed, and its claims with it. */
        void removed();
    }

    /** Listens from now on; {@link #start} begins to answer. */
    ClientLinks(Endpoint endpoint, long client, Events events) throws IOException {
        this.endpoint = endpoint;
        this.client = client;
        this.events = events;
        selector = Selector.open();
        try {
            server = endpoint.listen();
            server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
        thread = DaemonThread.of("belay-file-wire", this::run);
    }

    void start() {
        thread.start();
    }

    /** Connects to a client, so that the end of its process is noticed at once; once a second, however often it is asked. */
    void watch(long peer) {
        if (!links.containsKey(peer) && sought.add(peer)) {
            execute(() -> connect(peer, null, 0));
        }
    }

    /** Sends a push to the client that it is for; on the calling thread if there is a connection. */
    void push(Push push) {
        long peer = push.id().client();
        if (peer == client) {
            execute(() -> events.received(push));
            return;
        }
        ClientLink link = links.get(peer);
        if (link == null || !link.send(Frame.push(push))) {
            execute(() -> connect(peer, push, 0));
        }
    }

    /** Listens anew if somebody deleted the socket. Called every second. */
    void checkSocket() {
        sought.clear();
        if (!closed && !endpoint.isThere()) {
            execute(this::listenAgain);
        }
    }

    private void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Goes on whatever happens: if the socket were closed, others would take this client for dead. */
    private void run() {
        while (!closed) {
            try {
                turn();
            } catch (IOException | RuntimeException | Error e) {
                IoThread.disturbed(e);
                pause();
            }
        }
        try {
            doTasks(); // nobody else tells what was to be pushed
        } finally {
            release();
        }
    }

    private void turn() throws IOException {
        boolean unused = Thread.interrupted(); // or the selector would never wait again
        doTasks();
        selector.select(this::ready);
    }

    private void doTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            accept();
        } else if (key.attachment() instanceof ClientLink link) {
            read(link);
        }
    }

    private void accept() {
        try {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new ClientLink(channel, 0, 0));
            }
        } catch (IOException e) {
            // Mostly too many open files. The connection stays in the queue, and to ask at once would go on for ever.
            FileLog.LOG.debug("could not take a connection: {}", e.toString());
            pause();
        }
    }

    private static void pause() {
        LockSupport.parkNanos(10_000_000);
    }

    private void read(ClientLink link) {
        try {
            int count = link.channel.read(link.in);
            link.in.flip();
            while (link.in.remaining() >= 4) {
                int length = link.in.getInt(link.in.position());
                if (length < 1 || length > Frame.MAX) {
                    throw new IllegalArgumentException("a frame of " + length + " bytes");
                }
                if (link.in.remaining() < 4 + length) {
                    break;
                }
                frame(link, link.in.slice(link.in.position() + 4, length));
                link.in.position(link.in.position() + 4 + length);
            }
            link.in.compact();
            if (count < 0) {
                lost(link);
            }
        } catch (IOException e) {
            lost(link);
        } catch (IllegalArgumentException e) {
            FileLog.LOG.warn("closed a connection that made no sense: {}", e.getMessage());
            lost(link);
        }
    }

    private void frame(ClientLink link, ByteBuffer frame) {
        switch (frame.get()) {
            case Frame.HELLO -> {
                link.peer = Frame.client(frame);
                links.putIfAbsent(link.peer, link);
            }
            case Frame.PUSH -> {
                Push push = Frame.push(frame);
                if (push.id().client() == client) {
                    events.received(push);
                }
            }
            default -> throw new IllegalArgumentException("an unknown kind of frame");
        }
    }

    private void lost(ClientLink link) {
        link.close();
        links.remove(link.peer, link);
        if (link.peer != 0 && link.shortLived() < TRIES) {
            connect(link.peer, null, link.shortLived());
        }
    }

    private void connect(long peer, @Nullable Push push, int shortLived) {
        ClientLink known = links.get(peer);
        if (known != null && known.channel.isOpen() && (push == null || known.send(Frame.push(push)))) {
            return;
        }
        if (known != null) {
            known.close();
            links.remove(peer, known);
        }
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            ClientLink link = new ClientLink(channel, peer, shortLived);
            channel.configureBlocking(false);
            Endpoint.Outcome outcome = endpoint.connect(channel, peer);
            if (outcome != Endpoint.Outcome.CONNECTED) {
                link.close();
                events.unreached(peer, outcome, push);
                return;
            }
            channel.register(selector, SelectionKey.OP_READ, link);
            links.put(peer, link);
            if (!link.send(Frame.hello(client)) || (push != null && !link.send(Frame.push(push)))) {
                lost(link);
            }
        } catch (IOException e) {
            FileLog.LOG.warn("could not connect to another client: {}", e.toString());
        }
    }

    private void listenAgain() {
        if (closed || endpoint.isThere()) {
            return;
        }
        try {
            ServerSocketChannel old = server;
            server = endpoint.listen();
            server.register(selector, SelectionKey.OP_ACCEPT);
            old.close();
        } catch (IOException e) {
            FileLog.LOG.warn(
                    "somebody deleted the socket of this client, and it cannot be made anew: {}", e.toString());
        }
    }

    private void release() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            server.close();
            selector.close();
        } catch (IOException e) {
            FileLog.LOG.debug("could not close the connections: {}", e.toString());
        }
    }

    /** Ends all connections and the thread once it has sent what it was given: this process may end right after. */
    void close() {
        closed = true;
        if (thread.getState() == Thread.State.NEW) {
            release();
        }
        selector.wakeup();
        try {
            thread.join(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
