package io.belay.redis;

import io.belay.servers.RedisServer;
import java.io.IOException;

/** The races by which clients have a server prove that it runs scripts one at a time: two seconds of both processors each. */
final class Races {
    private Races() {}

    /** Counts this run of a server as proven, where the suite opens dozens of them; {@link ProvidersTest} races such ones. */
    static void spare(RedisServer server, String url) throws IOException {
        String run = server.command("INFO", "server")
                .lines()
                .filter(line -> line.startsWith("run_id:"))
                .map(line -> line.substring("run_id:".length()))
                .findFirst()
                .orElseThrow();
        Admission.PROVEN.add(Admission.id(Settings.parse(url), run));
    }
}
