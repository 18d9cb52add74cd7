package ownstore;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A service that keeps values by name, in memory: the stand-in for whatever you have. What a store needs of it is here: a value
 * is compared and set in one step, a reading says what time it is, and names can be listed in their order.
 */
public final class ValueServer implements AutoCloseable {
    static final byte READ = 0;
    static final byte WRITE = 1;
    static final byte NAMES = 2;
    static final int PAGE = 1000;
    /** In place of the time from when on a value may be forgotten: as it was. */
    static final long AS_BEFORE = -1;

    private record Value(long version, long forget, byte[] bytes) {}

    private final TreeMap<String, Value> values = new TreeMap<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Clock clock = Clock.systemUTC();
    private final ServerSocket server;
    private long writes;

    /** Starts it on a port of this machine; 0 for one that is free. */
    public ValueServer(int port) throws IOException {
        server = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Returns the URL by which clients connect. */
    public String url() {
        return "values://127.0.0.1:" + server.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "value-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.getOutputStream()));
            while (true) {
                switch (in.readByte()) {
                    case READ -> read(in, out);
                    case WRITE -> write(in, out);
                    default -> names(in, out);
                }
                out.flush();
            }
        } catch (IOException e) {
            // The client has gone, or this is closed.
        } finally {
            connections.remove(connection);
        }
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    private void read(DataInputStream in, DataOutputStream out) throws IOException {
        String[] names = new String[in.readInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.readUTF();
        }
        synchronized (values) {
            out.writeLong(now());
            for (String name : names) {
                Value value = values.getOrDefault(name, new Value(0, 0, new byte[0]));
                out.writeLong(value.version);
                out.writeInt(value.bytes.length);
                out.write(value.bytes);
            }
        }
    }

    /** Reads a state, or fails: half of one, of whoever has gone meanwhile, would be damage to everybody. */
    static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    /** Sets a value if it has the version that was read, and if it is not too late. */
    private void write(DataInputStream in, DataOutputStream out) throws IOException {
        String name = in.readUTF();
        long before = in.readLong();
        long notAfter = in.readLong();
        long version = in.readLong();
        long forget = in.readLong();
        byte[] bytes = readBytes(in);
        synchronized (values) {
            Value present = values.get(name);
            boolean done = (present == null ? 0 : present.version) == before && now() <= notAfter;
            if (done) {
                boolean same = forget == AS_BEFORE && present != null;
                values.put(name, new Value(version, same ? present.forget : forget, bytes));
                if (++writes % 1000 == 0) {
                    values.values().removeIf(value -> value.forget < now());
                }
            }
            out.writeBoolean(done);
        }
    }

    private void names(DataInputStream in, DataOutputStream out) throws IOException {
        String prefix = in.readUTF();
        String after = in.readUTF();
        List<String> page;
        synchronized (values) {
            page = values.tailMap(after.isEmpty() ? prefix : after, after.isEmpty()).keySet().stream()
                    .takeWhile(name -> name.startsWith(prefix))
                    .limit(PAGE)
                    .toList();
        }
        out.writeInt(page.size());
        for (String name : page) {
            out.writeUTF(name);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
