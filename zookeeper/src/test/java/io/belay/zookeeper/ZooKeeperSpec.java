package io.belay.zookeeper;

import io.belay.node.Nodes;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.tck.HalfOpening;
import io.belay.tck.Line;
import io.belay.tck.Network;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** A path of its own on servers that tests share. Every client knows all members. */
final class ZooKeeperSpec implements StoreSpec {
    /** Short, as the end of the dead is waited for; a latch asks for a lease of 5 s. */
    private static final Duration SESSION = Duration.ofSeconds(7);

    /** A hold is sure for two thirds of it: also on a busy machine for longer than two requests go unanswered. */
    private static final Duration SESSION_IN_SILENCE = Duration.ofSeconds(12);

    /** A client that asks for so long a session waits as long for its first connection. */
    private static final int PATIENT_MILLIS = 60_000;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String path = "/test" + COUNT.incrementAndGet();
    private final List<ZooKeeperServer> members;
    private final List<TcpProxy> proxies = new ArrayList<>();

    ZooKeeperSpec(List<ZooKeeperServer> members) throws IOException {
        this.members = members;
        for (ZooKeeperServer member : members) {
            proxies.add(TcpProxy.to(member));
        }
    }

    @Override
    public String url() {
        return url(members.stream().map(ZooKeeperServer::port), SESSION);
    }

    private String url(Stream<Integer> ports, Duration session) {
        String place = path + "?session-timeout=" + session.toSeconds() + "s";
        return ports.map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "zookeeper://", place));
    }

    @Override
    public Optional<Nodes> nodes() {
        Settings settings = new ZooKeeperUrl(url()).parse();
        return Optional.of(new ZooKeeperNodes(settings, Connection.open(settings, () -> {}), 1));
    }

    /** Nobody may look at its claims any more. */
    @Override
    public boolean damage(String resource) throws Exception {
        hide(new ZooKeeperUrl(url()).parse(), resource);
        return true;
    }

    static void hide(Settings settings, String resource) throws Exception {
        String directory = NodeNames.directory(settings.root(), resource);
        Id stranger = new Id("digest", DigestAuthenticationProvider.generateDigest("stranger:secret"));
        List<ACL> hidden = Collections.singletonList(new ACL(ZooDefs.Perms.ALL, stranger)); // it asks for null in it
        try (ZooKeeper client = new ZooKeeper(settings.hosts(), PATIENT_MILLIS, event -> {})) {
            for (String claim : client.getChildren(directory, false)) {
                client.setACL(directory + "/" + claim, hidden, -1);
            }
        }
    }

    @Override
    public Optional<Network> network() {
        return Optional.of(new ProxyNetwork(SESSION_IN_SILENCE));
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(new ProxyNetwork(SESSION));
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }

    private final class ProxyNetwork implements Network {
        private final Duration session;

        ProxyNetwork(Duration session) {
            this.session = session;
        }

        @Override
        public String url() {
            return ZooKeeperSpec.this.url(proxies.stream().map(TcpProxy::port), session);
        }

        /** ZooKeeper's client waits for up to two seconds before it connects anew; it is asked twice. */
        @Override
        public Duration requestTimeout() {
            return Duration.ofMillis(1_500);
        }

        @Override
        public void silence() {
            proxies.forEach(TcpProxy::silence);
        }

        @Override
        public void losePushes() {
            proxies.forEach(TcpProxy::dropPushes);
        }

        /** Of the one connection that there is: on the way to the next member no more is to be lost. */
        @Override
        public void loseNextAnswer() {
            proxies.stream().filter(proxy -> proxy.connections() > 0).forEach(TcpProxy::loseNextReply);
        }

        /** Of the one connection that there is, to whichever member. */
        @Override
        public List<HalfOpening> halfOpenings() {
            return HalfOpening.of(
                    List.of(() -> proxies.stream().mapToInt(TcpProxy::halfOpen).sum()));
        }

        /** ZooKeeper's client asks for a sign of life after a third of the session, and waits for it for another. */
        @Override
        public Duration worksAgainWithin() {
            return session.multipliedBy(2).dividedBy(3).plusSeconds(2);
        }

        @Override
        public void restore() {
            proxies.forEach(TcpProxy::pass);
        }
    }

    @Override
    public Duration longestLease() {
        return SESSION;
    }

    @Override
    public boolean leasePerClaim() {
        return false;
    }

    @Override
    public boolean claimsExpire() {
        return false;
    }

    @Override
    public boolean keepsDeadlines() {
        return false;
    }

    /** Whoever waits keeps its place as long as its session lasts. */
    @Override
    public boolean passesOverTheSilent() {
        return false;
    }

    /** The server looks for sessions that have ended once in a tick. */
    @Override
    public Duration endsWithin(Duration lease) {
        return SESSION.plusSeconds(1);
    }

    /** The service counts for all resources together, and has no clock. */
    @Override
    public boolean actsUnasked() {
        return true;
    }
}
