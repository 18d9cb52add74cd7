package io.belay.trials.fault;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.servers.Restartable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Takes all servers away at once for longer than a lease. They come back with what is on their disks. */
final class Outage implements Strike {
    /** The ways in which the servers go, and come back. */
    enum Way {
        /** Servers are killed: connections are reset and refused. */
        KILL,
        /** Servers are stopped: connections stay, and nothing is answered. */
        STOP;

        private void begin(Restartable server) throws IOException, InterruptedException {
            if (this == KILL) {
                server.kill();
            } else {
                server.stop();
            }
        }

        private void end(Restartable server) throws IOException, InterruptedException {
            if (this == KILL) {
                server.startAgain();
            } else {
                server.resume();
            }
        }
    }

    private static final double[] LEASES = {1.2, 1.6, 2.2, 3};
    /** The leases after an outage in which all are to recover. */
    static final int QUIET_LEASES = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int LOOK_EVERY_MILLIS = 50;
    private static final String ANY_NAME = "outage";

    private final Way way;

    Outage(Way way) {
        this.way = way;
    }

    @Override
    public Target target() {
        return Target.SERVERS;
    }

    @Override
    public boolean stopsServers() {
        return way == Way.STOP;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException, InterruptedException {
        double leases = LEASES[random.nextInt(LEASES.length)];
        List<? extends Restartable> servers = scene.site.servers();
        if (scene.isStruck(scene.site)) {
            return;
        }
        String what = way.name().toLowerCase(Locale.ROOT) + "-all";
        scene.strike(scene.site, what);
        for (Restartable server : servers) {
            way.begin(server);
        }
        scene.after(leases, () -> {
            for (Restartable server : servers) {
                way.end(server);
            }
            awaitAnswer(scene.site.url(0));
            scene.calm(scene.site, what, QUIET_LEASES);
        });
    }

    /** Waits until the store serves, since servers that elect a leader take their time. */
    private static void awaitAnswer(String url) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (Belay belay = Belay.connect(url)) {
                belay.admin().inspect(ANY_NAME);
                return;
            } catch (BelayException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
        }
    }
}
