package ownstore;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A service that keeps values by name, in memory: the stand-in for whatever you have. What a store needs of it is here: a value
 * is compared and set in one step, a reading says what time it is, and names can be listed in their order.
 */
public final class ValueServer implements AutoCloseable {
    static final int PAGE = 1000;
    /** In place of the time from when on a value may be forgotten: as it was. */
    static final long AS_BEFORE = -1;

    private record Value(long version, long forget, byte[] bytes) {}

    private final TreeMap<String, Value> values = new TreeMap<>();
    private final Clock clock = Clock.systemUTC();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer http;
    private long writes;

    /** Starts it on a port of this machine; 0 for one that is free. */
    public ValueServer(int port) throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        http.createContext("/read", exchange -> answer(exchange, this::read));
        http.createContext("/write", exchange -> answer(exchange, this::write));
        http.createContext("/names", exchange -> answer(exchange, this::names));
        http.setExecutor(threads);
        http.start();
    }

    /** Returns the URL by which clients connect. */
    public String url() {
        return "values://127.0.0.1:" + http.getAddress().getPort();
    }

    private interface Action {
        void run(DataInputStream in, DataOutputStream out) throws IOException;
    }

    private void answer(HttpExchange exchange, Action action) throws IOException {
        try (exchange) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataInputStream in = new DataInputStream(exchange.getRequestBody());
            synchronized (values) {
                action.run(in, new DataOutputStream(bytes));
            }
            exchange.sendResponseHeaders(200, bytes.size());
            bytes.writeTo(exchange.getResponseBody());
        }
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    private void read(DataInputStream in, DataOutputStream out) throws IOException {
        out.writeLong(now());
        for (int left = in.readInt(); left > 0; left--) {
            Value value = values.get(in.readUTF());
            out.writeLong(value == null ? 0 : value.version);
            out.writeInt(value == null ? 0 : value.bytes.length);
            out.write(value == null ? new byte[0] : value.bytes);
        }
    }

    /** Sets a value if it has the version that was read, and if it is not too late. */
    private void write(DataInputStream in, DataOutputStream out) throws IOException {
        String name = in.readUTF();
        long before = in.readLong();
        long notAfter = in.readLong();
        long version = in.readLong();
        long forget = in.readLong();
        byte[] bytes = in.readNBytes(in.readInt());
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

    private void names(DataInputStream in, DataOutputStream out) throws IOException {
        String prefix = in.readUTF();
        String after = in.readUTF();
        String[] page = values.tailMap(after.isEmpty() ? prefix : after, after.isEmpty()).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .limit(PAGE)
                .toArray(String[]::new);
        out.writeInt(page.length);
        for (String name : page) {
            out.writeUTF(name);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
