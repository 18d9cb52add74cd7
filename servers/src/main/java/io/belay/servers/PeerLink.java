package io.belay.servers;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection from a member to another, with a thread for each direction. */
final class PeerLink {
    /** The header in which etcd's members name themselves to each other. */
    private static final Pattern FROM = Pattern.compile("X-Server-From: (\\w+)");

    private static final int SIZE = 16 * 1024;
    private static final int SOCKS = 5;
    private static final byte[] NO_LOGIN = {SOCKS, 0};
    private static final byte[] CONNECTED = {SOCKS, 0, 0, 1, 0, 0, 0, 0, 0, 0};

    private final Peers peers;
    private final Socket client;
    private final Socket server = new Socket();
    private final List<Thread> threads;

    /** The names of the two; the first is empty as long as it is not known. */
    private volatile String from;

    private volatile String to;

    /** A link that learns by SOCKS which member it is for. */
    PeerLink(Peers peers, Socket client, String from) {
        this(peers, client, from, 0);
    }

    /** A link that may learn later which member it is from. */
    PeerLink(Peers peers, Socket client, int to) {
        this(peers, client, "", to);
    }

    private PeerLink(Peers peers, Socket client, String from, int port) {
        this.peers = peers;
        this.client = client;
        this.from = from;
        to = Integer.toString(port);
        String name = "belay-peer-" + client.getPort() + "-";
        threads = List.of(Sockets.daemon(name + "there", this::open), Sockets.daemon(name + "back", this::carryBack));
    }

    void start() {
        threads.get(0).start();
    }

    private void open() throws IOException, InterruptedException {
        try {
            if (from.isEmpty()) {
                connect(Integer.parseInt(to));
            } else {
                byGreeting();
            }
            threads.get(1).start();
            carryThere();
        } finally {
            close();
        }
    }

    private void connect(int port) throws IOException, InterruptedException {
        peers.awaitPassage(from, to);
        server.connect(Ports.address(port));
        server.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
    }

    /** Answers SOCKS 5 (RFC 1928), as far as Java's sockets use it: no login, a connection to an IPv4 address. */
    private void byGreeting() throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        if (in.readUnsignedByte() != SOCKS) {
            throw new IOException("not SOCKS 5");
        }
        in.readNBytes(in.readUnsignedByte());
        client.getOutputStream().write(NO_LOGIN);
        if (in.readInt() != (SOCKS << 24 | 1 << 16 | 1)) {
            throw new IOException("no connection to an IPv4 address");
        }
        in.readInt();
        int port = in.readUnsignedShort();
        to = Integer.toString(port);
        connect(port);
        client.getOutputStream().write(CONNECTED);
    }

    private void carryThere() throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] bytes = new byte[SIZE];
        for (int length = Sockets.read(in, bytes); length >= 0; length = Sockets.read(in, bytes)) {
            if (from.isEmpty()) {
                Matcher name = FROM.matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
                from = name.find() ? name.group(1) : from;
            }
            peers.awaitPassage(from, to);
            out.write(bytes, 0, length);
        }
        peers.awaitPassage(from, to); // also that it has closed is said
    }

    private void carryBack() throws IOException, InterruptedException {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        byte[] bytes = new byte[SIZE];
        try {
            for (int length = Sockets.read(in, bytes); length >= 0; length = Sockets.read(in, bytes)) {
                peers.awaitPassage(to, from);
                out.write(bytes, 0, length);
            }
            peers.awaitPassage(to, from);
        } finally {
            close();
        }
    }

    /** Closes both ends, and ends the threads wherever they wait. */
    void close() {
        Sockets.close(client);
        Sockets.close(server);
        threads.forEach(Thread::interrupt);
        peers.ended(this);
    }
}
