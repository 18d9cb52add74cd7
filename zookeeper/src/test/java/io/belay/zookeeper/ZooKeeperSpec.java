package io.belay.zookeeper;

import io.belay.servers.ZooKeeperServer;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A path of its own on a server that all tests share. */
final class ZooKeeperSpec implements StoreSpec {
    /** Short, as the end of the dead is waited for; a latch asks for a lease of 5 s. */
    private static final Duration SESSION = Duration.ofSeconds(5);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;

    ZooKeeperSpec() {
        url = Shared.SERVER.url() + "/test" + COUNT.incrementAndGet() + "?session-timeout=" + SESSION.toSeconds() + "s";
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
        return url;
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
    public boolean givesFreshSequences() {
        return false;
    }

    /** The service counts for all resources together, and has no clock. */
    @Override
    public boolean actsUnasked() {
        return true;
    }
}
