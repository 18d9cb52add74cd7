package io.belay.trials.fault;

import io.belay.servers.EtcdServer;
import io.belay.servers.Peers;
import io.belay.servers.Restartable;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperEnsemble;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Three members that elect a leader, with a network between them, and a proxy before each for each client. Every client
 * knows all members.
 */
final class MembersSite implements Site {
    private static final int MEMBERS = 3;

    /** The probability that a strike is to hit the leader. */
    private static final double AT_LEADER = 0.75;
    /** The probability that a strike may hit a second member, which takes the majority away. */
    private static final double SECOND = 0.2;

    private interface Question {
        boolean ask() throws IOException;
    }

    private interface Switch {
        void set(boolean on) throws IOException;
    }

    private record Member(Restartable process, Set<String> names, Question leads, Switch full) {
        boolean isLeader() {
            try {
                return leads.ask();
            } catch (IOException e) {
                return false;
            }
        }
    }

    private final String scheme;
    private final String parameters;
    private final List<Member> members;
    /** The proxies of each client, one for each member. */
    private final List<List<TcpProxy>> proxies;

    private final Peers peers;
    private final Runnable end;

    private MembersSite(
            String scheme,
            String parameters,
            List<Member> members,
            List<List<TcpProxy>> proxies,
            Peers peers,
            Runnable end) {
        this.scheme = scheme;
        this.parameters = parameters;
        this.members = members;
        this.proxies = proxies;
        this.peers = peers;
        this.end = end;
    }

    static Site etcd(int clients, Duration lease) throws IOException, InterruptedException {
        Peers peers = new Peers();
        List<EtcdServer> servers = EtcdServer.start(MEMBERS, peers);
        List<Member> members = new ArrayList<>();
        for (EtcdServer server : servers) {
            members.add(new Member(server, server.names(), server::isLeader, server::setFull));
        }
        List<List<TcpProxy>> proxies = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            List<TcpProxy> own = new ArrayList<>();
            for (EtcdServer server : servers) {
                own.add(TcpProxy.to(server));
            }
            proxies.add(own);
        }
        String parameters = "?timeout=" + Sites.requestTimeout("etcd", lease).toMillis() + "ms";
        return new MembersSite(
                "etcd://", parameters, members, proxies, peers, () -> servers.forEach(EtcdServer::close));
    }

    static Site zooKeeper(int clients, Duration lease) throws IOException, InterruptedException {
        Peers peers = new Peers();
        ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(peers);
        List<Member> members = ensemble.members().stream()
                .map(server -> new Member(server, server.names(), server::isLeader, MembersSite::hasNoQuota))
                .toList();
        List<List<TcpProxy>> proxies = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            List<TcpProxy> own = new ArrayList<>();
            for (ZooKeeperServer server : ensemble.members()) {
                own.add(TcpProxy.to(server));
            }
            proxies.add(own);
        }
        String parameters = "?session-timeout=" + lease.toMillis() + "ms";
        return new MembersSite("zookeeper://", parameters, members, proxies, peers, ensemble::close);
    }

    @Override
    public String url(int client) {
        return proxies.get(client).stream()
                .map(proxy -> "127.0.0.1:" + proxy.port())
                .collect(Collectors.joining(",", scheme, parameters));
    }

    @Override
    public List<Restartable> servers() {
        return members.stream().map(Member::process).toList();
    }

    /** Draws a member, mostly the leader; mostly none while another is struck, so that a majority is there. */
    @Override
    public Optional<Victim> victim(Random random, Predicate<Object> struck) {
        int any = random.nextInt(MEMBERS);
        boolean aimed = random.nextDouble() < AT_LEADER;
        boolean second = random.nextDouble() < SECOND;
        List<Member> well = members.stream()
                .filter(member -> !struck.test(member.process()))
                .toList();
        if (well.isEmpty() || (well.size() < MEMBERS && !second)) {
            return Optional.empty();
        }
        Optional<Member> leader = well.stream().filter(Member::isLeader).findFirst();
        Member chosen = leader.isPresent() && aimed ? leader.get() : well.get(any % well.size());
        boolean leads = leader.isPresent() && leader.get() == chosen;
        return Optional.of(new Victim(chosen.process(), leads ? "leader" : "follower"));
    }

    @Override
    public Optional<Restartable> follower(Random random, Predicate<Object> struck) {
        boolean quiet = members.stream().noneMatch(member -> struck.test(member.process()));
        List<Member> followers =
                members.stream().filter(member -> quiet && !member.isLeader()).toList();
        boolean led = followers.size() == MEMBERS - 1;
        return led ? Optional.of(followers.get(random.nextInt(followers.size())).process()) : Optional.empty();
    }

    @Override
    public void cutOff(Restartable server, boolean says, boolean hears) {
        peers.cutOff(names(server), says, hears);
    }

    @Override
    public void heal(Restartable server) {
        peers.heal(names(server));
    }

    private Set<String> names(Restartable server) {
        return members.stream()
                .filter(member -> member.process() == server)
                .findFirst()
                .orElseThrow()
                .names();
    }

    private static void hasNoQuota(boolean full) {
        throw new UnsupportedOperationException("a quota of ZooKeeper's does not count for what it does itself");
    }

    /** One member is told, and all obey. */
    @Override
    public void have(Room room) throws IOException {
        members.get(0).full().set(room != Room.PLENTY);
    }

    @Override
    public List<TcpProxy> network(int client) {
        return proxies.get(client);
    }

    @Override
    public void close() {
        proxies.forEach(own -> own.forEach(TcpProxy::close));
        end.run();
        peers.close();
    }
}
