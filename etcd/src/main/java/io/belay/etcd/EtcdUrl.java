package io.belay.etcd;

import io.belay.spi.StoreException;
import io.belay.support.UrlDuration;
import io.belay.support.UrlLogin;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL of a store: {@code etcd://[USER:PASSWORD@]HOST[:PORT],...[?prefix=&timeout=&token-epoch=]}, or {@code etcds:}
 * for TLS with {@code ca=}, {@code cert=} and {@code key=}. Messages name the part that is wrong, never the whole,
 * which may hold a password.
 */
record EtcdUrl(
        List<String> addresses,
        String user,
        @Nullable String password,
        String prefix,
        Duration timeout,
        int tokenEpoch,
        @Nullable Tls tls) {
    static final Set<String> SCHEMES = Set.of("etcd", "etcds");

    /** The scheme of what {@link #target} returns. */
    static final String TARGETS = "ip";

    private static final int PORT = 2379;
    private static final Set<String> PARAMETERS = new TreeSet<>(Set.of("prefix", "timeout", "token-epoch"));
    private static final Set<String> FILES = new TreeSet<>(Set.of("ca", "cert", "key"));
    private static final Pattern ADDRESS =
            Pattern.compile("([\\p{L}\\p{N}._-]{1,255}|\\[[0-9a-fA-F:.]{2,45}])(:(\\d{1,5}))?");
    private static final Pattern PREFIX = Pattern.compile("[\\p{L}\\p{N}._:/-]{1,128}");
    private static final Pattern NAME = Pattern.compile("[a-z-]{1,24}");

    static EtcdUrl parse(String url) {
        int colon = url.indexOf(':');
        String scheme = url.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
        if (!SCHEMES.contains(scheme) || !url.startsWith("//", colon + 1)) {
            throw wrong("must begin with etcd://HOST, or with etcds:// for TLS");
        }
        String rest = url.substring(colon + 3);
        boolean secure = scheme.equals("etcds");
        Set<String> known = new TreeSet<>(PARAMETERS);
        if (secure) {
            known.addAll(FILES);
        }
        int at = UrlLogin.end(rest, known);
        int query = rest.indexOf('?', at + 1);
        Map<String, String> parameters = query < 0 ? Map.of() : parameters(rest.substring(query + 1), known);
        String hosts = rest.substring(at + 1, query < 0 ? rest.length() : query);
        String login = at < 0 ? null : rest.substring(0, at);
        int split = login == null ? -1 : login.indexOf(':');
        if (login != null && (split <= 0 || split == login.length() - 1)) {
            throw wrong("must have USER:PASSWORD before the @, both not empty");
        }
        boolean certificate = parameters.containsKey("cert");
        if (certificate != parameters.containsKey("key")) {
            throw wrong("has one of 'cert' and 'key'; a certificate of this client needs both");
        }
        return new EtcdUrl(
                addresses(hosts.endsWith("/") ? hosts.substring(0, hosts.length() - 1) : hosts),
                login == null ? "" : decode("user", login.substring(0, split)),
                login == null ? null : decode("password", login.substring(split + 1)),
                prefix(parameters.getOrDefault("prefix", "belay/")),
                timeout(parameters.getOrDefault("timeout", "2s")),
                epoch(parameters.getOrDefault("token-epoch", "0")),
                secure ? new Tls(parameters.get("ca"), parameters.get("cert"), parameters.get("key")) : null);
    }

    /** Returns the URL of one of the members. */
    EtcdUrl at(String address) {
        return new EtcdUrl(List.of(address), user, password, prefix, timeout, tokenEpoch, tls);
    }

    /** Returns the hosts as messages name them. */
    String hosts() {
        return String.join(", ", addresses);
    }

    /**
     * Returns the addresses of members as jetcd takes them. It refuses URLs of those in which {@link URI} sees no host, such
     * as {@code shop_etcd_1}, the name of a container.
     */
    static String target(List<String> addresses) {
        try {
            return new URI(TARGETS, "", "/" + String.join(",", new LinkedHashSet<>(addresses)), null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e); // a path that begins with a slash is none that can be wrong
        }
    }

    private static List<String> addresses(String hosts) {
        List<String> addresses = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            Matcher address = ADDRESS.matcher(host);
            if (host.isEmpty()) {
                throw wrong("names no host: write etcd://HOST:PORT, and commas between several");
            } else if (!address.matches()) {
                throw wrong("has a host that is none, or a port that is no number; a prefix is written ?prefix=");
            }
            String port = address.group(3);
            int number = port == null ? PORT : Integer.parseInt(port);
            if (number < 1 || number > 65_535) {
                throw wrong("has the port " + number + ", which there cannot be");
            }
            addresses.add(address.group(1) + ":" + number);
        }
        return addresses;
    }

    private static Map<String, String> parameters(String query, Set<String> known) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!known.contains(name)) {
                throw wrong("has a parameter that is not known"
                        + (NAME.matcher(name).matches() ? ", '" + name + "'" : "") + "; known are "
                        + String.join(", ", known));
            } else if (equals < 0 || equals == part.length() - 1) {
                throw wrong("has '" + name + "' without a value");
            } else if (parameters.put(name, decode(name, part.substring(equals + 1))) != null) {
                throw wrong("has '" + name + "' twice");
            }
        }
        return parameters;
    }

    private static String prefix(String text) {
        if (!PREFIX.matcher(text).matches()) {
            throw wrong("has a 'prefix' that is not 1 to 128 letters, digits or . _ : / -");
        }
        return text;
    }

    private static Duration timeout(String text) {
        Duration parsed =
                UrlDuration.parse(text).orElseThrow(() -> wrong("has a 'timeout' that is not like 500ms, 2s or 1m"));
        if (parsed.compareTo(Duration.ofMillis(10)) < 0 || parsed.compareTo(Duration.ofMinutes(10)) > 0) {
            throw wrong("has a 'timeout' that is not between 10ms and 10m");
        }
        return parsed;
    }

    private static int epoch(String text) {
        if (!text.matches("\\d{1,2}")) {
            throw wrong("has a 'token-epoch' that is not a number from 0 to 99");
        }
        return Integer.parseInt(text);
    }

    private static String decode(String what, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("has a '" + what + "' with a % that begins no code: write it %25");
        }
    }

    private static StoreException wrong(String what) {
        return StoreException.unusable("The URL of the store " + what, null);
    }

    @Override
    public String toString() {
        return "etcd at " + hosts();
    }
}
