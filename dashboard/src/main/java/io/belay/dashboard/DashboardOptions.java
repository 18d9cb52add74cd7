package io.belay.dashboard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a dashboard is served.
 *
 * @param listen what to listen on; port 0 for one that is free
 * @param hosts names by which the page is reached beside that address, as browsers send them: with a port unless that is the
 *     scheme's own
 * @param token what has to be shown to see anything; needed unless the address is this machine's own (loopback), and to end holds
 * @param allowBreak whether holds may be ended from the page
 * @param audit takes a line for each hold that was, or was not to be, ended
 */
public record DashboardOptions(
        InetSocketAddress listen,
        Set<String> hosts,
        Optional<String> token,
        boolean allowBreak,
        Consumer<String> audit) {
    /** What is shorter could be found by trying. */
    private static final int SHORTEST_TOKEN = 16;

    /** @throws IllegalArgumentException if a token is needed and missing, or too short, or the host is not known */
    public DashboardOptions {
        hosts = Set.copyOf(hosts);
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
        if (token.isEmpty() && !listen.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("others reach "
                    + listen.getAddress().getHostAddress() + ", so a token is needed: --token-file FILE");
        }
        if (token.isEmpty() && allowBreak) {
            throw new IllegalArgumentException(
                    "who may end holds shows a token: --allow-break needs --token-file FILE");
        }
    }

    /** Returns those for this machine alone, on a port: without a token, and nothing can be ended. */
    public static DashboardOptions local(int port) {
        return new DashboardOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                Set.of(),
                Optional.empty(),
                false,
                line -> {});
    }

    /** Returns these with holds that may be ended by whoever has the token. */
    public DashboardOptions withBreaking(String itsToken, Consumer<String> lines) {
        return new DashboardOptions(listen, hosts, Optional.of(itsToken), true, lines);
    }
}
