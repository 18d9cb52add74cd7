package io.belay.trials.fault;

import io.belay.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Something happens to all that lies between one client and the servers, for a part of a lease or some. */
final class StrikeNetwork implements Strike {
    /** What happens. */
    enum Way {
        /** Nothing comes through, and nobody is told; what was sent arrives late. */
        SILENCE {
            @Override
            void strike(TcpProxy proxy, long leaseMillis) {
                proxy.silence();
            }
        },
        /** Connections are reset, new ones refused. */
        CUT {
            @Override
            void strike(TcpProxy proxy, long leaseMillis) {
                proxy.cut();
            }
        },
        /** Replies take most of a lease, and then nothing comes through. */
        DELAY {
            @Override
            void strike(TcpProxy proxy, long leaseMillis) {
                proxy.delayReplies(Duration.ofMillis(leaseMillis * 6 / 10));
            }
        },
        /** The next reply is lost with its connection, though its command has run. */
        LOSE_REPLY {
            @Override
            void strike(TcpProxy proxy, long leaseMillis) {
                proxy.loseNextReply();
            }
        },
        /** No push comes through, all else does. */
        DROP_PUSHES {
            @Override
            void strike(TcpProxy proxy, long leaseMillis) {
                proxy.dropPushes();
            }
        };

        abstract void strike(TcpProxy proxy, long leaseMillis);

        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final double[] LEASES = {0.3, 0.7, 1, 1.5, 2};
    /** For how long replies are late before nothing comes at all. */
    private static final double LATE_LEASES = 1.2;

    private final Way way;

    StrikeNetwork(Way way) {
        this.way = way;
    }

    @Override
    public Target target() {
        return Target.NETWORK;
    }

    @Override
    public void at(Scene scene, Random random) {
        int victim = scene.clients.victim(random);
        double leases = LEASES[random.nextInt(LEASES.length)];
        if (victim < 0) {
            return;
        }
        List<TcpProxy> network = scene.site.network(victim);
        if (scene.isStruck(network.get(0))) {
            return;
        }
        String what = way.title() + "-of-" + victim;
        scene.strike(network.get(0), what);
        network.forEach(proxy -> way.strike(proxy, scene.lease.toMillis()));
        if (way == Way.DELAY) {
            scene.after(LATE_LEASES, () -> network.forEach(TcpProxy::silence));
            leases += LATE_LEASES;
        }
        scene.after(leases, () -> {
            network.forEach(TcpProxy::pass);
            scene.calm(network.get(0), what);
        });
    }
}
