package io.belay.jdbc;

import io.belay.document.Documents;
import io.belay.servers.ServerProcess;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Network;
import io.belay.tck.Server;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A database that tests share, with a table of each one's own. */
final class JdbcSpec implements StoreSpec {
    /** What PostgreSQL begins a notification with. */
    private static final byte NOTIFICATION = 'A';

    private final String url;
    private final @Nullable Line line;
    private final @Nullable Machine machine;

    private JdbcSpec(String url, @Nullable Line line, @Nullable Machine machine) {
        this.url = url;
        this.line = line;
        this.machine = machine;
    }

    /** A database without a server; {@code separator} stands between the parameters of its URLs. */
    static JdbcSpec embedded(String database, String first, String separator) {
        return new JdbcSpec(database + first + own(separator), null, null);
    }

    /** A server of this process, and a proxy before it that disturbs the line. */
    static JdbcSpec of(int port, IntFunction<String> urls) throws IOException {
        String own = ";" + own(";");
        TcpProxy proxy = TcpProxy.to(port);
        String brief = urls.apply(proxy.port()) + own + ";belay-timeout=300ms";
        return new JdbcSpec(urls.apply(port) + own, new Line(proxy, brief), null);
    }

    /** A server, which can be killed, and a proxy before it that disturbs the line. */
    static JdbcSpec of(ServerProcess server, IntFunction<String> urls, Turns turns) throws IOException {
        turns.begin();
        String own = "&" + own("&");
        TcpProxy proxy = TcpProxy.to(server);
        // A request of the engine's waits for what a connection does, which is given up before the engine asks again.
        String brief = urls.apply(proxy.port()) + own + "&belay-timeout=300ms";
        return new JdbcSpec(urls.apply(server.port()) + own, new Line(proxy, brief), new Machine(server, turns));
    }

    private static String own(String separator) {
        String table = "t" + UUID.randomUUID().toString().replace("-", "");
        return "belay-create=true" + separator + "belay-table=" + table;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Optional<Documents> documents() {
        Connections connections = Connections.of(JdbcUrl.parse(url));
        Schema.create(connections);
        return Optional.of(new JdbcDocuments(connections));
    }

    @Override
    public boolean sweeps() {
        return true;
    }

    /** It looks at what others have changed, and tells what it sees then. */
    @Override
    public boolean actsUnasked() {
        return true;
    }

    @Override
    public boolean damage(String resource) {
        try (Documents.Session session = new JdbcDocuments(Connections.of(JdbcUrl.parse(url))).connect()) {
            Set<String> written = Set.of();
            while (written.isEmpty()) { // somebody else may be quicker
                long version =
                        session.read(List.of(resource)).found().get(resource).version();
                byte[] rubbish = {1, 2, 3};
                Documents.Change change = new Documents.Change(resource, version, version + 1, rubbish, Long.MAX_VALUE);
                written = session.write(List.of(change), Long.MAX_VALUE);
            }
        }
        return true;
    }

    @Override
    public Optional<Network> network() {
        return Optional.ofNullable(line);
    }

    @Override
    public Optional<Server> server() {
        if (machine != null) {
            machine.takeAlone();
        }
        return Optional.ofNullable(machine);
    }

    @Override
    public void close() {
        if (line != null) {
            line.proxy.close();
        }
        if (machine != null) {
            machine.leave();
        }
    }

    /** Tests share a server, but for those that kill it. */
    static final class Turns {
        private static final int ALL = 1_000;

        private final Semaphore turns = new Semaphore(ALL, true);

        private void begin() {
            turns.acquireUninterruptibly();
        }

        private void takeAlone() {
            turns.release();
            turns.acquireUninterruptibly(ALL);
        }

        private void end(boolean alone) {
            turns.release(alone ? ALL : 1);
        }
    }

    private static final class Line implements Network {
        private final TcpProxy proxy;
        private final String url;

        Line(TcpProxy proxy, String url) {
            this.proxy = proxy;
            this.url = url;
        }

        @Override
        public String url() {
            return url;
        }

        @Override
        public Duration requestTimeout() {
            return Duration.ofMillis(800);
        }

        @Override
        public void silence() {
            proxy.silence();
        }

        @Override
        public void losePushes() {
            proxy.drop(frame -> frame.length > 0 && frame[0] == NOTIFICATION);
        }

        @Override
        public void loseNextAnswer() {
            proxy.loseNextReply();
        }

        @Override
        public List<HalfOpening> halfOpenings() {
            return HalfOpening.of(List.of(proxy::halfOpen));
        }

        @Override
        public void restore() {
            proxy.pass();
        }
    }

    private static final class Machine implements Server {
        private final ServerProcess server;
        private final Turns turns;
        private boolean alone;
        private boolean dead;

        Machine(ServerProcess server, Turns turns) {
            this.server = server;
            this.turns = turns;
        }

        void takeAlone() {
            if (!alone) {
                alone = true;
                turns.takeAlone();
            }
        }

        @Override
        public void kill() {
            dead = true;
            server.kill();
        }

        @Override
        public void restart() {
            try {
                server.restart();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            dead = false;
        }

        void leave() {
            if (dead) {
                restart();
            }
            turns.end(alone);
        }
    }
}
