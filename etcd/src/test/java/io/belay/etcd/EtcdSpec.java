package io.belay.etcd;

import io.belay.servers.EtcdServer;
import io.belay.tck.StoreSpec;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** The members of an etcd that tests share, with a prefix of each one's own. Every client knows all members. */
final class EtcdSpec implements StoreSpec {
    private final String url;

    EtcdSpec(List<EtcdServer> members) {
        String hosts =
                members.stream().map(member -> "127.0.0.1:" + member.port()).collect(Collectors.joining(","));
        url = "etcd://" + hosts + "?prefix=" + UUID.randomUUID() + "/";
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
