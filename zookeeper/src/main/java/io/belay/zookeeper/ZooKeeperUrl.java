package io.belay.zookeeper;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import io.belay.support.UrlLogin;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Reads a URL. Messages name the part that is wrong, never the whole, which may hold a password. */
final class ZooKeeperUrl {
    static final Set<String> SCHEMES = Set.of("zookeeper", "zookeepers");

    private static final int DEFAULT_PORT = 2181;
    private static final int DEFAULT_TLS_PORT = 2281;

    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{M}\\p{N}._-]{1,255}|\\[[0-9a-fA-F:.]{1,45}]");
    private static final Pattern PART = Pattern.compile("(?!\\.{1,2}$)[\\w.:+=~-]{1,255}");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z-]{1,24}");

    private static final Set<String> PARAMETERS = Set.of("session-timeout", "timeout", "acl");
    private static final Set<String> TLS_PARAMETERS = Set.of("ca", "cert");

    private final String scheme;
    private final @Nullable String login;
    private final String place;
    private final Map<String, String> parameters;

    ZooKeeperUrl(String url) {
        int colon = url.indexOf(':');
        scheme = url.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || !url.startsWith("//", colon + 1)) {
            throw wrong("must begin with zookeeper://, or with zookeepers:// for TLS");
        }
        String rest = url.substring(colon + 3);
        Set<String> known = known();
        int at = UrlLogin.end(rest, known);
        int query = rest.indexOf('?', at + 1);
        place = rest.substring(at + 1, query < 0 ? rest.length() : query);
        parameters = query < 0 ? Map.of() : parameters(rest.substring(query + 1), known);
        login = at < 0 ? null : login(rest.substring(0, at));
    }

    private Set<String> known() {
        Set<String> known = new TreeSet<>(PARAMETERS);
        if (isSecure()) {
            known.addAll(TLS_PARAMETERS);
        }
        return known;
    }

    Settings parse() {
        int slash = place.indexOf('/');
        return new Settings(
                hosts(),
                path(slash < 0 ? "" : place.substring(slash + 1)) + "/belay",
                login,
                // The longest that a server as it is delivered grants: the longest leases, and few sessions lost.
                duration("session-timeout", "40s"),
                duration("timeout", "10s"),
                acl(login),
                isSecure() ? new Tls(file("ca"), file("cert")) : null);
    }

    /** Returns the servers, each with its port. */
    String hosts() {
        int slash = place.indexOf('/');
        String hosts = slash < 0 ? place : place.substring(0, slash);
        return Stream.of(hosts.split(",", -1)).map(this::address).collect(Collectors.joining(","));
    }

    private String login(String info) {
        int colon = info.indexOf(':');
        if (colon < 1 || colon == info.length() - 1) {
            throw wrong("must have a user and a password before the @, written USER:PASSWORD@");
        }
        return decode("user", info.substring(0, colon)) + ":" + decode("password", info.substring(colon + 1));
    }

    private String address(String text) {
        // An IPv6 address stands in brackets.
        int colon = text.lastIndexOf(':');
        boolean port = colon > text.lastIndexOf(']');
        String host = port ? text.substring(0, colon) : text;
        if (host.isEmpty()) {
            throw wrong("names no host, or has a comma too many");
        } else if (!HOST.matcher(host).matches()) {
            throw wrong("has a host with characters that no host's name has (an IPv6 address stands in [brackets])");
        }
        return host + ":" + (port ? port(text.substring(colon + 1)) : isSecure() ? DEFAULT_TLS_PORT : DEFAULT_PORT);
    }

    private int port(String text) {
        int number = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > 65535) {
            throw wrong("has a port that is no number from 1 to 65535");
        }
        return number;
    }

    private String path(String text) {
        if (text.isEmpty()) {
            return "";
        }
        for (String part : text.split("/", -1)) {
            if (!PART.matcher(part).matches()) {
                throw wrong("has a path that is not made of names of letters, digits and _.:+=~-");
            }
        }
        if (text.equals("zookeeper") || text.startsWith("zookeeper/")) {
            throw wrong("has the path /zookeeper, which is ZooKeeper's own; choose another");
        }
        return "/" + text;
    }

    private List<ACL> acl(@Nullable String login) {
        String who = parameters.getOrDefault("acl", login == null ? "open" : "creator");
        return switch (who) {
            case "open" -> ZooDefs.Ids.OPEN_ACL_UNSAFE;
            case "creator" -> ZooDefs.Ids.CREATOR_ALL_ACL;
            default -> throw wrong("has 'acl' other than open and creator");
        };
    }

    private boolean isSecure() {
        return scheme.equals("zookeepers");
    }

    private @Nullable String file(String name) {
        String file = parameters.get(name);
        if (file == null) {
            return null;
        }
        try {
            if (Files.isReadable(Path.of(file))) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw wrong("has '" + name + "' that cannot be a path");
        }
        throw wrong("has '" + name + "' that is no file which can be read: " + file);
    }

    private Duration duration(String name, String otherwise) {
        Duration duration = UrlDuration.parse(parameters.getOrDefault(name, otherwise))
                .orElseThrow(() -> wrong("has '" + name + "' that is not written like 500ms, 30s or 1m"));
        if (duration.toMillis() < 100 || duration.toHours() >= 24) {
            throw wrong("has '" + name + "' that is not from 100ms to a day");
        }
        return duration;
    }

    private Map<String, String> parameters(String query, Set<String> known) {
        Map<String, String> result = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1 || equals == part.length() - 1) {
                throw wrong("has a parameter that is not written NAME=VALUE");
            }
            String name = part.substring(0, equals);
            if (TLS_PARAMETERS.contains(name) && !isSecure()) {
                throw wrong("has the parameter '" + name + "', which is for TLS; write zookeepers://");
            } else if (!known.contains(name)) {
                String which = NAME.matcher(name).matches() ? "the parameter '" + name + "'" : "a parameter";
                throw wrong("has " + which + " that is not known; known are " + known);
            } else if (result.put(name, decode(name, part.substring(equals + 1))) != null) {
                throw wrong("has the parameter '" + name + "' twice");
            }
        }
        return result;
    }

    private String decode(String what, String text) {
        try {
            // A plus is a plus here: only forms mean a space by it.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("has a % in its " + what + " that begins no %XX; write %25 for the character itself");
        }
    }

    private StoreException wrong(String what) {
        // What stands where the scheme should may be a password.
        String which = SCHEMES.contains(scheme) ? "The URL " + scheme + ": " : "The URL ";
        return StoreException.unusable(which + what, null);
    }
}
