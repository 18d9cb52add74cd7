package io.belay.etcd;

import io.belay.servers.EtcdServer;
import io.belay.tck.StoreSpec;
import java.time.Duration;
import java.util.UUID;

/** A server that tests share, with a prefix of each one's own. */
final class EtcdSpec implements StoreSpec {
    private final String url;

    EtcdSpec(EtcdServer server) {
        url = "etcd://127.0.0.1:" + server.port() + "?prefix=" + UUID.randomUUID() + "/";
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public boolean actsUnasked() {
        return true;
    }

    @Override
    public boolean keepsDeadlines() {
        return false;
    }

    @Override
    public boolean passesOverTheSilent() {
        return false;
    }

    /** A lease of etcd's ends up to so much later: it counts in whole seconds, and looks twice a second. */
    @Override
    public Duration endsWithin(Duration lease) {
        return lease.plusSeconds(2);
    }
}
