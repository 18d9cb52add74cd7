package io.belay.redis;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import io.belay.support.UrlLogin;
import io.lettuce.core.SslVerifyMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Stream;

/** Reads a URL. Messages name the part that is wrong, never the whole, which may hold a password. */
final class RedisUrl {
    static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "unix", "redis-cluster", "rediss-cluster", "redis-sentinel", "rediss-sentinel");

    private static final int DEFAULT_PORT = 6379;
    private static final int SENTINEL_PORT = 26379;

    /** The parts of a URL that messages show; none may be what was meant to be a password or a parameter. */
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{M}\\p{N}._-]{1,255}");

    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-fA-F:.]{1,45}(%[\\w.-]{1,64})?]");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z-]{1,24}");
    private static final Pattern SOCKET = Pattern.compile("[^=&\\p{Cc}]{1,255}");

    /** A login before a socket's path, as other clients have it. */
    private static final Pattern SOCKET_LOGIN = Pattern.compile("(?s)//(?:[^/?]*:.*|[^/?][^?]*)@.*");

    private static final Set<String> PARAMETERS = Set.of(
            "timeout",
            "prefix",
            "ca",
            "cert",
            "key",
            "verify",
            "protocol",
            "replicas",
            "replica-timeout",
            "replica-missing",
            "eviction");
    private static final Set<String> SENTINEL_PARAMETERS = Set.of("master", "sentinel-user", "sentinel-password");
    private static final Set<String> SOCKET_PARAMETERS = Set.of(
            "timeout",
            "prefix",
            "protocol",
            "db",
            "user",
            "password",
            "replicas",
            "replica-timeout",
            "replica-missing",
            "eviction");

    private final String scheme;
    private final String place;
    private final Map<String, String> parameters;

    RedisUrl(String url) {
        int colon = url.indexOf(':');
        scheme = url.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme)) {
            throw wrong(
                    "must begin with redis://, redis-cluster:// or redis-sentinel://, or with rediss for TLS, or unix:");
        }
        String rest = url.substring(colon + 1);
        boolean socket = scheme.equals("unix");
        if (!socket && !rest.startsWith("//")) {
            throw wrong("must be " + scheme + "://HOST[:PORT][/DATABASE]");
        }
        String text = socket ? rest : rest.substring(2);
        if (socket && SOCKET_LOGIN.matcher(text).matches()) {
            throw wrong(
                    "has a user or password before the path; write them as the parameters 'user' and 'password' behind a ?");
        }
        Set<String> known = new TreeSet<>(socket ? SOCKET_PARAMETERS : PARAMETERS);
        if (isSentinel()) {
            known.addAll(SENTINEL_PARAMETERS);
        }
        int query = text.indexOf('?', socket ? 0 : UrlLogin.end(text, known) + 1);
        place = query < 0 ? text : text.substring(0, query);
        parameters = query < 0 ? Map.of() : parameters(text.substring(query + 1), known);
    }

    Settings parse() {
        return scheme.equals("unix") ? socket() : server();
    }

    private Settings socket() {
        if (!place.startsWith("/")) {
            throw wrong("must be unix:/PATH/OF/SOCKET, with an absolute path");
        } else if (!SOCKET.matcher(place).matches()) {
            throw wrong(
                    "has a path that is too long, or has an =, an & or a control character; parameters stand behind a ?");
        }
        if (parameters.containsKey("user") && !parameters.containsKey("password")) {
            throw wrong("has 'user' without 'password'");
        }
        Login login = new Login(parameter("user", ""), parameters.get("password"));
        return settings(ServerLocation.of(place), login, database(parameter("db", "")));
    }

    private Settings server() {
        int at = place.lastIndexOf('@');
        Login login = Login.NONE;
        if (at >= 0) {
            String info = place.substring(0, at);
            int colon = info.indexOf(':');
            if (colon < 0) {
                throw wrong(
                        "has a user without a password; write USER:PASSWORD@, or :PASSWORD@ without a user (and an @"
                                + " after the host as %40)");
            }
            login = new Login(decode("user", info.substring(0, colon)), decode("password", info.substring(colon + 1)));
        }
        String address = place.substring(at + 1);
        int slash = address.indexOf('/');
        String database = slash < 0 ? "" : address.substring(slash + 1);
        String hosts = slash < 0 ? address : address.substring(0, slash);
        List<Address> addresses = isCluster() || isSentinel()
                ? Stream.of(hosts.split(",", -1)).map(this::address).toList()
                : List.of(address(hosts));
        if (isCluster() && !database.isEmpty()) {
            throw wrong("names a database, and a cluster has none but the first; leave out what stands behind the /");
        }
        return settings(place(addresses), login, database(database));
    }

    private ServerLocation place(List<Address> addresses) {
        if (!isSentinel()) {
            return new ServerLocation(
                    isCluster() ? ServerLocation.Kind.CLUSTER : ServerLocation.Kind.SERVER, addresses, "", "");
        }
        String master = parameter("master", "");
        if (master.isEmpty()) {
            throw wrong("does not say what the sentinels call the master; add ?master=NAME");
        } else if (master.length() > 255 || master.chars().anyMatch(Character::isISOControl)) {
            throw wrong("has a 'master' that is too long or has a control character");
        }
        return new ServerLocation(ServerLocation.Kind.SENTINELS, addresses, "", master);
    }

    private Login sentinelLogin() {
        if (parameters.containsKey("sentinel-user") && !parameters.containsKey("sentinel-password")) {
            throw wrong("has 'sentinel-user' without 'sentinel-password'");
        }
        return new Login(parameter("sentinel-user", ""), parameters.get("sentinel-password"));
    }

    private boolean isSentinel() {
        return scheme.endsWith("-sentinel");
    }

    private boolean isCluster() {
        return scheme.endsWith("-cluster");
    }

    private Address address(String text) {
        // An IPv6 address stands in brackets.
        int colon = text.lastIndexOf(':');
        boolean port = colon > text.lastIndexOf(']');
        String host = port ? text.substring(0, colon) : text;
        if (host.isEmpty() || host.equals("[]")) {
            throw wrong("names no host");
        } else if (host.indexOf(',') >= 0) {
            throw wrong("names several hosts; write " + scheme + "-cluster:// for a cluster, or " + scheme
                    + "-sentinel://...?master=NAME for sentinels");
        } else if (IPV6.matcher(host).matches()) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw wrong("has an IPv6 address that does not stand in [brackets], or is none");
        } else if (!HOST.matcher(host).matches()) {
            throw wrong("has a host that is too long, or has characters that no host's name has");
        }
        return new Address(host, port ? number("port", text.substring(colon + 1), 1, 65535) : defaultPort());
    }

    private int defaultPort() {
        return isSentinel() ? SENTINEL_PORT : DEFAULT_PORT;
    }

    private Settings settings(ServerLocation at, Login login, int database) {
        Tls tls = Tls.DEFAULT.withVerify(choice(
                "verify",
                "full",
                Map.of("full", SslVerifyMode.FULL, "ca", SslVerifyMode.CA, "none", SslVerifyMode.NONE)));
        boolean secure = scheme.startsWith("rediss");
        if (!secure) {
            for (String name : Set.of("ca", "cert", "key", "verify")) {
                if (parameters.containsKey(name)) {
                    throw wrong("has the parameter '" + name + "', which is for TLS; write "
                            + scheme.replaceFirst("redis", "rediss") + "://");
                }
            }
        }
        if (parameters.containsKey("ca")) {
            tls = tls.withCa(file("ca"));
        }
        if (parameters.containsKey("cert") != parameters.containsKey("key")) {
            throw wrong("has one of 'cert' and 'key' without the other");
        }
        if (parameters.containsKey("cert")) {
            tls = tls.withCertificate(file("cert"), file("key"));
        }
        boolean resp3 = choice("protocol", "resp3", Map.of("resp3", true, "resp2", false));
        return new Settings(
                at,
                login,
                sentinelLogin(),
                database,
                parameter("prefix", "belay:"),
                timeout("timeout", "2s"),
                timeout("timeout", "10s"),
                secure,
                tls,
                resp3,
                replicas(),
                choice("eviction", "warn", Map.of("warn", false, "refuse", true)));
    }

    private ReplicaPolicy replicas() {
        if (!parameters.containsKey("replicas")) {
            for (String name : List.of("replica-timeout", "replica-missing")) {
                if (parameters.containsKey(name)) {
                    throw wrong("has '" + name + "' without 'replicas'");
                }
            }
            return ReplicaPolicy.NONE;
        }
        int count = number("number of replicas", parameter("replicas", ""), 0, ReplicaPolicy.MOST);
        Duration timeout = timeout("replica-timeout", "100ms");
        if (timeout.isZero()) {
            throw wrong("has a replica-timeout of 0; leave out 'replicas' not to wait for any");
        }
        return new ReplicaPolicy(
                count, timeout, choice("replica-missing", "grant", Map.of("grant", false, "refuse", true)));
    }

    private int database(String text) {
        return text.isEmpty() ? 0 : number("database", text, 0, 1_000_000);
    }

    private String parameter(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    private Path file(String name) {
        try {
            return Path.of(parameter(name, ""));
        } catch (InvalidPathException e) {
            throw wrong("has '" + name + "' that cannot be a path");
        }
    }

    private <T> T choice(String name, String otherwise, Map<String, T> choices) {
        T chosen = choices.get(parameter(name, otherwise));
        if (chosen == null) {
            throw wrong("has '" + name + "' other than " + new TreeSet<>(choices.keySet()));
        }
        return chosen;
    }

    private int number(String what, String text, int least, int most) {
        if (text.matches("\\d{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw wrong("has a " + what + " that is no number from " + least + " to " + most);
    }

    private Duration timeout(String name, String otherwise) {
        return UrlDuration.parse(parameter(name, otherwise))
                .orElseThrow(() -> wrong("has a " + name + " that is not written like 500ms, 2s or 1m"));
    }

    private Map<String, String> parameters(String query, Set<String> known) {
        Map<String, String> result = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1 || equals == part.length() - 1) {
                throw wrong("has a parameter that is not written NAME=VALUE");
            }
            String name = part.substring(0, equals);
            if (!known.contains(name)) {
                if (name.equals("user") || name.equals("password")) {
                    throw wrong("has '" + name
                            + "' as a parameter; write USER:PASSWORD@, or :PASSWORD@ without a user, before the host");
                }
                // After an & that stands in a password, its rest looks like a name.
                boolean secrets = known.contains("password") || known.contains("sentinel-password");
                String which = (secrets && !result.isEmpty())
                                || query.toLowerCase(Locale.ROOT).contains("pass")
                                || !NAME.matcher(name).matches()
                        ? "an unknown parameter (an & in a password is written %26)"
                        : "the unknown parameter '" + name + "'";
                throw wrong("has " + which + "; known are " + known);
            }
            if (result.put(name, decode(name, part.substring(equals + 1))) != null) {
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
