package io.belay.mongodb;

import io.belay.document.Documents;
import io.belay.servers.MongoServer;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Network;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A server that tests share, with a collection of each one's own. One that is killed has lost all, so it is not. */
final class MongoSpec implements StoreSpec {
    private final String url;
    private final @Nullable Line line;

    private MongoSpec(String url, @Nullable Line line) {
        this.url = url;
        this.line = line;
    }

    /** With a proxy before it that disturbs the line, if the server is ours. */
    static MongoSpec of(MongoServer server, String options) throws IOException {
        String own = "belay-collection=t" + UUID.randomUUID().toString().replace("-", "") + options;
        String url = with(server.url(), own);
        return new MongoSpec(url, server.canBeKilled() ? new Line(TcpProxy.to(server), own) : null);
    }

    /** A URL with a parameter more. */
    static String with(String url, String parameter) {
        if (url.contains("?")) {
            return url + "&" + parameter;
        }
        boolean ended = url.indexOf('/', "mongodb+srv://".length()) > 0;
        return url + (ended ? "?" : "/?") + parameter;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Optional<Documents> documents() {
        // Who asks here is told of an answer that is late, and does not ask again.
        return Optional.of(MongoDocuments.prepare(Connections.of(MongoUrl.parse(with(url, "belay-timeout=1m")))));
    }

    /** It looks at what others have changed, and tells what it sees then. */
    @Override
    public boolean actsUnasked() {
        return true;
    }

    @Override
    public boolean damage(String resource) {
        try (MongoDocuments documents = MongoDocuments.prepare(Connections.of(MongoUrl.parse(url)));
                Documents.Session session = documents.connect()) {
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
    public void close() {
        if (line != null) {
            line.proxy.close();
        }
    }

    private record Line(TcpProxy proxy, String own) implements Network {
        /**
         * A request of the engine's waits for what a connection does, which is given up before the engine asks again. Two
         * connections are made in that time, on a machine that may be busy.
         */
        @Override
        public String url() {
            return "mongodb://127.0.0.1:" + proxy.port() + "/?" + own + "&belay-timeout=900ms";
        }

        @Override
        public Duration requestTimeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public void silence() {
            proxy.silence();
        }

        @Override
        public void losePushes() {
            proxy.dropPushes();
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
}
