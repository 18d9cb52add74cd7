package io.belay.dashboard.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts, each with a port, by which browsers reach a server. Addresses are compared as such, however they are written. No name is
 * looked up: one that nobody gave belongs to somebody else, wherever it leads to. Immutable.
 */
public final class OwnHosts {
    /** A name or an IPv4 address, as browsers send it, or an IPv6 address in brackets; and a port. */
    private static final Pattern FORM =
            Pattern.compile("(?:([a-z0-9._-]+)|(\\[[0-9a-f.]*:[0-9a-f.:]*]))(?::([0-9]{1,5}))?");

    /** The ports that browsers leave out. */
    private static final int HTTP = 80;

    private static final int HTTPS = 443;

    private static final int HIGHEST_PORT = 65_535;

    private final Set<String> hosts = new HashSet<>();

    /**
     * Lists them.
     *
     * @param address what the server listens on
     * @param names further names by which it is reached, each with a port unless that is the scheme's own: a proxy's may be HTTPS
     */
    OwnHosts(InetSocketAddress address, Set<String> names) {
        int port = address.getPort();
        hosts.add(text(address.getAddress()) + ":" + port);
        if (address.getAddress().isLoopbackAddress()) {
            for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
                whole(host, port).ifPresent(hosts::add);
            }
        }
        for (String name : names) {
            whole(name, HTTP).ifPresent(hosts::add);
            whole(name, HTTPS).ifPresent(hosts::add);
        }
    }

    /** Returns whether browsers may reach a server by that: a name or an address, and a port if it is not the scheme's own. */
    public static boolean isHost(String text) {
        return whole(text, HTTP).isPresent();
    }

    /** Returns whether a {@code Host} header, of a request by HTTP, is one of them. */
    boolean has(String host) {
        return has(host, HTTP);
    }

    /** Returns whether an {@code Origin} header is one of them. */
    boolean hasOrigin(String origin) {
        try {
            URI uri = URI.create(origin);
            boolean encrypts = "https".equalsIgnoreCase(uri.getScheme());
            String host = uri.getAuthority();
            return host != null
                    && (encrypts || "http".equalsIgnoreCase(uri.getScheme()))
                    && has(host, encrypts ? HTTPS : HTTP);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean has(String host, int otherwise) {
        return whole(host, otherwise).filter(hosts::contains).isPresent();
    }

    /** Returns a host and its port in the one form in which they are compared; empty if it is neither a name nor an address. */
    private static Optional<String> whole(String host, int otherwise) {
        Matcher parts = FORM.matcher(host.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return Optional.empty();
        }
        int port = parts.group(3) == null ? otherwise : Integer.parseInt(parts.group(3));
        if (port > HIGHEST_PORT) {
            return Optional.empty();
        }
        try {
            // In brackets and with a colon it is an address or wrong, and nobody is asked.
            String name = parts.group(1) == null ? text(InetAddress.getByName(parts.group(2))) : parts.group(1);
            return Optional.of(name + ":" + port);
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Returns an address without the interface that it is of, which browsers do not know. */
    private static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }
}
