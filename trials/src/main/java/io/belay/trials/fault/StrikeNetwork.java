package io.belay.trials.fault;

import io.belay.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A strike at all that lies between one client and the servers, for a part of a lease or some. */
final class StrikeNetwork implements Strike {
    /** The ways to strike, and how each ends. */
    enum Way {
        /** The network lets nothing through, and nobody is told; what was sent arrives late. */
        SILENCE(TcpProxy::silence, TcpProxy::pass),
        /** Connections are reset, new ones refused. */
        CUT(TcpProxy::cut, TcpProxy::pass),
        /** Replies take most of a lease, and then nothing comes through. */
        DELAY(
                (proxy, lease) -> proxy.delayReplies(lease.multipliedBy(6).dividedBy(10)),
                TcpProxy::pass,
                Target.NETWORK),
        /** The client's requests arrive late, what the servers say comes through. */
        HOLD_REQUESTS(TcpProxy::silenceRequests, TcpProxy::pass),
        /** The replies and pushes arrive late, what the client asks is done. */
        HOLD_REPLIES(TcpProxy::silenceReplies, TcpProxy::pass),
        /** The client's requests never arrive, and at last the connection is reset. */
        LOSE_REQUESTS(TcpProxy::silenceRequests, Way::reset),
        /** The replies and pushes never arrive, what the client asks is done, and at last the connection is reset. */
        LOSE_REPLIES(TcpProxy::silenceReplies, Way::reset),
        /** The next reply is lost with its connection, though its command has run. */
        LOSE_REPLY(TcpProxy::loseNextReply, TcpProxy::pass),
        /** The pushes never arrive, all else does. */
        DROP_PUSHES(TcpProxy::dropPushes, TcpProxy::pass, Target.PUSHES),
        /** The servers do twice what the client asks, and answer once. */
        DOUBLE(TcpProxy::doubleScripts, TcpProxy::pass, Target.SCRIPTS);

        private final BiConsumer<TcpProxy, Duration> begin;
        private final Consumer<TcpProxy> end;
        private final Target target;

        Way(BiConsumer<TcpProxy, Duration> begin, Consumer<TcpProxy> end, Target target) {
            this.begin = begin;
            this.end = end;
            this.target = target;
        }

        Way(Consumer<TcpProxy> begin, Consumer<TcpProxy> end, Target target) {
            this((proxy, lease) -> begin.accept(proxy), end, target);
        }

        Way(Consumer<TcpProxy> begin, Consumer<TcpProxy> end) {
            this(begin, end, Target.NETWORK);
        }

        private static void reset(TcpProxy proxy) {
            proxy.cut();
            proxy.pass();
        }

        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final double[] LEASES = {0.3, 0.7, 1, 1.5, 2};
    /** The leases for which replies are late before nothing comes at all. */
    private static final double LATE_LEASES = 1.2;

    private final Way way;

    StrikeNetwork(Way way) {
        this.way = way;
    }

    @Override
    public Target target() {
        return way.target;
    }

    @Override
    public void at(Scene scene, Random random) throws InterruptedException {
        int victim = scene.clients.victim(random);
        double leases = LEASES[random.nextInt(LEASES.length)];
        if (victim >= 0) {
            strike(scene, victim, leases);
        }
    }

    void strike(Scene scene, int victim, double leases) {
        List<TcpProxy> network = scene.site.network(victim);
        Object place = network.get(0);
        // Where all clients share the way to a member, no two of three are to lose their replies: the next one's time
        // is limited.
        Object turn = way == Way.LOSE_REPLIES && scene.site.sharesNetwork() ? way : place;
        if (scene.isStruck(place) || scene.isStruck(turn)) {
            return;
        }
        String what = way.title() + "-of-" + scene.site.wayOf(victim);
        scene.take(turn);
        scene.strike(place, what);
        network.forEach(proxy -> way.begin.accept(proxy, scene.lease));
        if (way == Way.DELAY) {
            scene.after(LATE_LEASES, () -> network.forEach(TcpProxy::silence));
        }
        scene.after(leases + (way == Way.DELAY ? LATE_LEASES : 0), () -> {
            network.forEach(way.end);
            scene.calm(place, what);
            scene.leave(turn);
        });
    }
}
