package io.belay.dashboard;

import io.belay.dashboard.client.ClientAddress;
import io.belay.dashboard.web.OwnHosts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** How a dashboard is served. Immutable; {@code with...} returns a copy. */
public final class DashboardOptions {
    /** What is shorter could be found by trying. */
    private static final int SHORTEST_TOKEN = 16;

    private final InetSocketAddress listen;
    private final Set<String> hosts;
    private final Optional<String> token;
    private final boolean allowBreak;
    private final Consumer<String> audit;
    private final List<URI> clients;

    private DashboardOptions(
            InetSocketAddress listen,
            Set<String> hosts,
            Optional<String> token,
            boolean allowBreak,
            Consumer<String> audit,
            List<URI> clients) {
        this.listen = listen;
        this.hosts = Set.copyOf(hosts);
        this.token = token;
        this.allowBreak = allowBreak;
        this.audit = audit;
        this.clients = List.copyOf(clients);
    }

    /** Returns those for this machine alone, on a port: without a token, and nothing can be ended. Port 0 is one that is free. */
    public static DashboardOptions local(int port) {
        return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Returns those for an address; one that others reach needs {@linkplain #withToken a token}. Port 0 is one that is free. */
    public static DashboardOptions at(InetSocketAddress listen) {
        Objects.requireNonNull(listen, "listen");
        return new DashboardOptions(listen, Set.of(), Optional.empty(), false, line -> {}, List.of());
    }

    /**
     * Returns these with a further name by which the page is reached, as browsers send it: with a port unless that is the scheme's
     * own.
     *
     * @throws IllegalArgumentException if it is none, such as a URL
     */
    public DashboardOptions withHost(String host) {
        if (!OwnHosts.isHost(Objects.requireNonNull(host, "host"))) {
            throw new IllegalArgumentException(
                    "--host is a name or an address, with a port unless that is the scheme's own,"
                            + " such as locks.example:8443, and not '" + host + "'");
        }
        Set<String> more = new LinkedHashSet<>(hosts);
        more.add(host);
        return new DashboardOptions(listen, more, token, allowBreak, audit, clients);
    }

    /**
     * Returns these with a token that has to be shown to see anything, of at least 16 characters of ASCII, and without a space or a line
     * end around it: {@link String#strip} what was read from a file.
     */
    public DashboardOptions withToken(String itsToken) {
        Objects.requireNonNull(itsToken, "itsToken");
        return new DashboardOptions(listen, hosts, Optional.of(itsToken), allowBreak, audit, clients);
    }

    /**
     * Returns these with holds that may be ended from the page by who has shown {@linkplain #withToken the token}.
     *
     * @param lines takes a line for each hold that is about to be ended, and one when it was, or was not; where it throws for the first,
     *     as it cannot keep it, none is ended
     */
    public DashboardOptions withBreaking(Consumer<String> lines) {
        Objects.requireNonNull(lines, "lines");
        return new DashboardOptions(listen, hosts, token, true, lines, clients);
    }

    /**
     * Returns these with a client that is asked for what it alone knows: its losses, outages, rates and waits.
     *
     * @param url where it tells that, such as {@code http://HOST:8080/actuator/belay/client}; with a name and a password if it wants
     *     them
     * @throws IllegalArgumentException if nobody can be asked there
     */
    public DashboardOptions withClient(String url) {
        List<URI> more = new ArrayList<>(clients);
        more.add(ClientAddress.of(Objects.requireNonNull(url, "url")));
        return new DashboardOptions(listen, hosts, token, allowBreak, audit, more);
    }

    /** Returns these, if they go together; throws {@link IllegalArgumentException} if not. */
    DashboardOptions checked() {
        if (listen.isUnresolved()) {
            throw new IllegalArgumentException("no address is known of " + listen.getHostString());
        }
        if (listen.getAddress().isAnyLocalAddress() && hosts.isEmpty()) {
            throw new IllegalArgumentException(
                    "listening on all addresses needs --host NAME:PORT, by which browsers reach the page");
        }
        if (token.isPresent() && token.get().length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException(
                    "the token has fewer than 16 characters; head -c 18 /dev/urandom | base64 makes one that nobody"
                            + " guesses");
        }
        if (!token.map(DashboardOptions::canBeShown).orElse(true)) {
            throw new IllegalArgumentException(
                    "the token is to be one line of ASCII without a space around it, as programs show it in a header:"
                            + " head -c 18 /dev/urandom | base64 makes one");
        }
        if (token.isEmpty() && !listen.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("others reach "
                    + listen.getAddress().getHostAddress() + ", so a token is needed: --token-file FILE");
        }
        if (token.isEmpty() && allowBreak) {
            throw new IllegalArgumentException(
                    "who may end holds shows a token: --allow-break needs --token-file FILE");
        }
        return this;
    }

    /** Returns whether a form and a header bring a token as it is. */
    private static boolean canBeShown(String token) {
        return token.equals(token.strip()) && token.chars().allMatch(letter -> letter >= ' ' && letter <= '~');
    }

    InetSocketAddress listen() {
        return listen;
    }

    Set<String> hosts() {
        return hosts;
    }

    Optional<String> token() {
        return token;
    }

    boolean allowBreak() {
        return allowBreak;
    }

    Consumer<String> audit() {
        return audit;
    }

    List<URI> clients() {
        return clients;
    }
}
