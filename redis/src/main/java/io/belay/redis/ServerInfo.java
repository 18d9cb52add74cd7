package io.belay.redis;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields that INFO tells. */
final class ServerInfo {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

    private final Map<String, String> fields = new HashMap<>();
    private final List<String> lines;
    private final long run;
    private final long asked;
    private final long heard = System.nanoTime();

    ServerInfo(String info) {
        this(info, System.nanoTime());
    }

    /** Reads an answer that has just come to what was asked at that instant, a {@link System#nanoTime()}. */
    ServerInfo(String info, long asked) {
        this.asked = asked;
        lines = info.lines().toList();
        lines.forEach(line -> {
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

    boolean has(String field) {
        return fields.containsKey(field);
    }

    /** Returns whether a field's name has the pattern in it. */
    boolean hasFieldLike(Pattern pattern) {
        return fields.keySet().stream()
                .anyMatch(name -> pattern.matcher(name.toLowerCase(Locale.ROOT)).find());
    }

    /** Returns whether a line has the pattern in it. */
    boolean hasLineLike(Pattern pattern) {
        return lines.stream().anyMatch(line -> pattern.matcher(line).find());
    }

    /** Returns whether a module of that name is loaded. */
    boolean hasModule(String name) {
        return lines.stream().anyMatch(line -> line.startsWith("module:name=" + name + ","));
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

    /** Returns whether keys may be removed when memory is full, those of locks among them. */
    boolean evicts() {
        String policy = get("maxmemory_policy");
        return number("maxmemory") > 0 && !policy.isEmpty() && !policy.equals("noeviction");
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

    /** Returns what the server's clock showed; messages name the server by that address. */
    StoreClock clock(String address) {
        return new StoreClock(run, number("server_time_usec"), asked, heard, address);
    }

    /** Returns the number of this run of this server; never 0. */
    long run() {
        return run;
    }
}
