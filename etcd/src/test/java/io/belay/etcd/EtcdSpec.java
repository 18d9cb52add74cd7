package io.belay.etcd;

import io.belay.servers.EtcdServer;
import io.belay.tck.StoreSpec;
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
}
