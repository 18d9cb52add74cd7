package io.belay.tck;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A database in the memory of this process, which others reach by a socket: values by name, each with a version. It has four
 * requests, {@link SampleConnection} the other end of them.
 */
final class SampleDatabase implements AutoCloseable {
    static final int READ = 1;
    static final int WRITE = 2;
    static final int NAMES = 3;
    static final int SWEEP = 4;

    /** The most names of one answer. */
    static final int PAGE = 100;

    /** The value of a name, and from when on it may be deleted; version 0 is none. */
    record Value(long version, byte[] bytes, long forget) {
        static final Value NONE = new Value(0, new byte[0]);

        Value(long version, byte[] bytes) {
            this(version, bytes, Long.MAX_VALUE);
        }
    }

    private final TreeMap<String, Value> values = new TreeMap<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final ServerSocket server;

    SampleDatabase() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "sample-database");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))) {
            while (true) {
                switch (in.readByte()) {
                    case READ -> read(in, out);
                    case WRITE -> write(in, out);
                    case SWEEP -> sweep(in, out);
                    default -> names(in, out);
                }
                out.flush();
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private void read(DataInputStream in, DataOutputStream out) throws IOException {
        String[] names = new String[in.readInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.readUTF();
        }
        synchronized (values) {
            out.writeLong(now());
            for (String name : names) {
                Value value = values.getOrDefault(name, Value.NONE);
                out.writeLong(value.version());
                out.writeLong(value.forget());
                out.writeInt(value.bytes().length);
                out.write(value.bytes());
            }
        }
    }

    /** Tells the names behind one, in their order. */
    private void names(DataInputStream in, DataOutputStream out) throws IOException {
        String prefix = in.readUTF();
        String after = in.readUTF();
        List<String> names;
        synchronized (values) {
            names = values.tailMap(after, false).keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .limit(PAGE)
                    .toList();
        }
        out.writeInt(names.size());
        for (String name : names) {
            out.writeUTF(name);
        }
    }

    private void write(DataInputStream in, DataOutputStream out) throws IOException {
        String name = in.readUTF();
        boolean compared = in.readBoolean();
        long before = in.readLong();
        long version = in.readLong();
        long forget = in.readLong();
        long notAfter = in.readLong();
        byte[] bytes = in.readNBytes(in.readInt());
        synchronized (values) {
            boolean same = values.getOrDefault(name, Value.NONE).version() == before;
            boolean done = (same || !compared) && now() <= notAfter;
            if (done) {
                values.put(name, new Value(version, bytes, forget));
            }
            out.writeBoolean(done);
        }
    }

    private void sweep(DataInputStream in, DataOutputStream out) throws IOException {
        boolean all = in.readBoolean();
        synchronized (values) {
            out.writeBoolean(values.values().removeIf(value -> all || value.forget() <= now()));
        }
    }

    private static long now() {
        return 1_700_000_000_000_000L + System.nanoTime() / 1_000;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            // Then the process's end closes them.
        }
    }
}
