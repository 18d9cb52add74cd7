package io.belay.servers;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The commands that a server runs, as its MONITOR shows them, those in scripts among them. Thread-safe.
 */
public final class Monitor implements AutoCloseable {
    private static final String MARK = "\"belay-mark-";
    private static final AtomicInteger MARKS = new AtomicInteger();

    private final RedisServer server;
    private final RespConnection connection;
    private final String ownAuth;
    private final List<String> lines = new ArrayList<>();
    private @Nullable Exception end;

    Monitor(RedisServer server, RespConnection connection) {
        this.server = server;
        this.connection = connection;
        this.ownAuth = " unix:" + server.socket() + "] \"AUTH\" ";
        Thread reader = new Thread(this::collect, "belay-monitor-" + server.port());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Returns all that the server has run before this call, since this monitor was opened or was cleared. A line looks
     * like {@code 1339518083.107412 [0 127.0.0.1:60866] "get" "x"}, with {@code [0 lua]} for what a script calls.
     *
     * <p>An AUTH over the unix socket is left out, as it may be {@link RedisServer#command}'s own.
     */
    public List<String> lines() throws IOException, InterruptedException {
        String mark = mark();
        synchronized (lines) {
            return lines.subList(0, await(mark)).stream()
                    .filter(line -> !line.contains(MARK))
                    .toList();
        }
    }

    /** Forgets what the server has run before this call. */
    public void clear() throws IOException, InterruptedException {
        String mark = mark();
        synchronized (lines) {
            lines.subList(0, await(mark)).clear();
        }
    }

    /** Lets the server run a mark. It runs one command at a time: who sees the mark has seen all before it. */
    private String mark() throws IOException {
        String mark = MARK + MARKS.incrementAndGet() + "\"";
        server.command("ECHO", mark.substring(1, mark.length() - 1));
        return mark;
    }

    /** Waits for the mark; returns its index. Called with the lines locked. */
    private int await(String mark) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Pace.patience().toNanos();
        while (true) {
            for (int at = 0; at < lines.size(); at++) {
                if (lines.get(at).endsWith(mark)) {
                    return at;
                }
            }
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (end != null || left <= 0) {
                throw new IOException("the monitor has ended, or lags behind", end);
            }
            lines.wait(left);
        }
    }

    private void collect() {
        try {
            while (true) {
                String line =
                        RespText.values(connection.read(RespConnection.FOREVER)).get(0);
                synchronized (lines) {
                    if (!line.contains(ownAuth)) {
                        lines.add(line);
                        lines.notifyAll();
                    }
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            synchronized (lines) {
                end = e;
                lines.notifyAll();
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
