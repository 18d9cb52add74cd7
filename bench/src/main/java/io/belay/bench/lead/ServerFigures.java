package io.belay.bench.lead;

import io.belay.servers.RedisServer;
import java.io.IOException;

/**
 * What the server tells of itself.
 *
 * @param cpuSeconds the processor time it has used
 * @param megabytes the memory it uses
 * @param keys how many keys it has
 */
record ServerFigures(double cpuSeconds, double megabytes, long keys) {
    private static final double MEGABYTE = 1 << 20;

    static ServerFigures of(RedisServer server) throws IOException {
        String info = server.command("INFO", "everything");
        return new ServerFigures(
                field(info, "used_cpu_user") + field(info, "used_cpu_sys"),
                field(info, "used_memory") / MEGABYTE,
                keys(server));
    }

    static long keys(RedisServer server) throws IOException {
        return Long.parseLong(server.command("DBSIZE").trim());
    }

    static double field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToDouble(line ->
                        Double.parseDouble(line.substring(name.length() + 1).trim()))
                .findFirst()
                .orElse(Double.NaN);
    }
}
