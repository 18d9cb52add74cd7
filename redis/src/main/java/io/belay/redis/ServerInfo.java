package io.belay.redis;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields that INFO tells. */
final class ServerInfo {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

    private final Map<String, String> fields = new HashMap<>();
    private final long run;

    ServerInfo(String info) {
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        String id = get("run_id");
        // Without one, each connection counts as another server: that costs a question more, and is safe.
        run = id.matches("[0-9a-f]{16,}") ? Long.parseUnsignedLong(id.substring(0, 16), 16) | 1 : RANDOM.nextLong() | 1;
    }

    /** Returns the field, or an empty text. */
    String get(String field) {
        return fields.getOrDefault(field, "");
    }

    long number(String field) {
        String value = get(field);
        return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
    }

    String version() {
        return get("redis_version");
    }

    boolean isAtLeast(int major, int minor) {
        Matcher matcher = VERSION.matcher(version());
        if (!matcher.matches()) {
            return false;
        }
        int first = Integer.parseInt(matcher.group(1));
        return first > major || (first == major && Integer.parseInt(matcher.group(2)) >= minor);
    }

    boolean isCluster() {
        return get("cluster_enabled").equals("1") || get("redis_mode").equals("cluster");
    }

    boolean isSentinel() {
        return get("redis_mode").equals("sentinel");
    }

    boolean isReplica() {
        return get("role").equals("slave");
    }

    /** Returns the number of this run of this server; never 0. */
    long run() {
        return run;
    }
}
