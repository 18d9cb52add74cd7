package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Puts a server's clock ahead or back, by seconds to two hours, while it runs. */
final class JumpClock implements Strike {
    /** The offsets of the clock to draw from, in seconds. */
    private static final int[] OFFSETS = {0, 2, -2, 20, -20, 300, -300, 3600, -3600};

    private int now;

    @Override
    public Target target() {
        return Target.CLOCK;
    }

    @Override
    public void at(Scene scene, Random random) throws IOException {
        int next = OFFSETS[random.nextInt(OFFSETS.length)];
        if (next == now) {
            return;
        }
        List<RedisServer> servers = scene.site.redis();
        // Before it is done, as all that is begun.
        scene.journal.strike((next > now ? "clock-ahead-" : "clock-back-") + Math.abs(next - now) + "s");
        for (RedisServer server : servers) {
            server.setClock(Duration.ofSeconds(next));
        }
        now = next;
    }
}
