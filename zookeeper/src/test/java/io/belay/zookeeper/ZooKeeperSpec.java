package io.belay.zookeeper;

import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.tck.Network;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A path of its own on a server that all tests share. */
final class ZooKeeperSpec implements StoreSpec {
    /** Short, as the end of the dead is waited for; a latch asks for a lease of 5 s, and a bad network for more. */
    private static final Duration SESSION = Duration.ofSeconds(7);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String place = "/test" + COUNT.incrementAndGet() + "?session-timeout=" + SESSION.toSeconds() + "s";
    private final TcpProxy proxy;

    ZooKeeperSpec() throws IOException {
        proxy = TcpProxy.to(Shared.SERVER);
    }

    /** One server for this JVM, which ends it. */
    private static final class Shared {
        static final ZooKeeperServer SERVER = start();

        private static ZooKeeperServer start() {
            try {
                return ZooKeeperServer.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public String url() {
        return Shared.SERVER.url() + place;
    }

    @Override
    public Optional<Network> network() {
        return Optional.of(new Line());
    }

    @Override
    public void close() {
        proxy.close();
    }

    private final class Line implements Network {
        @Override
        public String url() {
            return proxy.url() + place;
        }

        /** ZooKeeper's client waits for up to two seconds before it connects anew; it is asked twice. */
        @Override
        public Duration requestTimeout() {
            return Duration.ofMillis(1_500);
        }

        @Override
        public void silence() {
            proxy.silence();
        }

        @Override
        public void losePushes() {
            proxy.dropEvents();
        }

        @Override
        public void loseNextAnswer() {
            proxy.loseNextReply();
        }

        @Override
        public void restore() {
            proxy.pass();
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
