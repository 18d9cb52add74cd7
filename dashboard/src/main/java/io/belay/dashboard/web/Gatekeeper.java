package io.belay.dashboard.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask for what. A request names the host that it believes to speak to, so that a page of another site whose name was bound
 * anew to this address gets nothing; one that another site's page sends names that site. Where there is a token a browser signs in
 * with it, and has a cookie then. Thread-safe.
 */
final class Gatekeeper {
    private static final String BEARER = "Bearer ";
    private static final String BASIC = "Basic ";

    private final OwnHosts hosts;
    private final Optional<String> token;
    private final String cookie;
    private final Secrets sessions = new Secrets();
    private final Secrets pages = new Secrets();
    private final Attempts attempts = new Attempts();

    /**
     * Makes the rules.
     *
     * @param address what the server listens on
     * @param names further names by which it is reached, each with a port unless that is the scheme's own
     * @param token what has to be shown; empty if anybody may look
     */
    Gatekeeper(InetSocketAddress address, Set<String> names, Optional<String> token) {
        this.token = token;
        // Browsers have one set of cookies for all ports of a host, and this server's port is not always the one that
        // they see.
        cookie = "belay-dashboard-" + UUID.randomUUID();
        hosts = new OwnHosts(address, names);
    }

    /** Returns whether a request was meant for this server, and sent by a page of it or by none, or leads from elsewhere to the page. */
    boolean isMeant(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !hosts.has(host)) {
            return false;
        }
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        return (origin == null || hosts.hasOrigin(origin)) && isFromHere(exchange);
    }

    /** Returns what browsers say of requests that have no origin, as of another site's image: older ones say nothing. */
    private static boolean isFromHere(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        String site = headers.getFirst("Sec-Fetch-Site");
        return site == null
                || site.equals("same-origin")
                || site.equals("none")
                || ("navigate".equals(headers.getFirst("Sec-Fetch-Mode"))
                        && "/".equals(exchange.getRequestURI().getPath()));
    }

    /** Returns whether a request may see the locks. */
    boolean maySee(HttpExchange exchange) {
        return token.isEmpty() || sessions.has(session(exchange)) || isToken(given(exchange));
    }

    /** Returns whether one that might see the locks may go on to: a session ends, and who was let in by the token is not counted again. */
    boolean mayStillSee(HttpExchange exchange) {
        return token.isEmpty() || sessions.has(session(exchange)) || isRight(given(exchange));
    }

    /** Returns the token that a request shows; null if it shows none. */
    private static @Nullable String given(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (given == null) {
            return null;
        }
        if (given.startsWith(BEARER)) {
            return given.substring(BEARER.length());
        }
        return given.startsWith(BASIC) ? password(given.substring(BASIC.length())) : null;
    }

    /** Returns the password of a name and a password: the token, whatever the name, for who is told an address alone. */
    private static String password(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /**
     * Signs a browser in, also one that comes by another site's link: what it is let to by that changes nothing.
     *
     * @return the header that sets its cookie; empty if it has not shown the token, or too many have not
     */
    Optional<String> signIn(String given) {
        return isToken(given)
                ? Optional.of(cookie + "=" + sessions.make() + "; Path=/; HttpOnly; SameSite=Lax")
                : Optional.empty();
    }

    private boolean isToken(@Nullable String given) {
        if (given == null || token.isEmpty() || !attempts.mayTry()) {
            return false;
        }
        boolean right = isRight(given);
        if (!right) {
            attempts.failed(bytes(given));
        }
        return right;
    }

    private boolean isRight(@Nullable String given) {
        return given != null && token.isPresent() && MessageDigest.isEqual(bytes(given), bytes(token.get()));
    }

    /** Makes the secret that a page shows when it changes something: another site's page cannot read it. */
    String newPage() {
        return pages.make();
    }

    /** Returns whether a request comes from a page of this server. */
    boolean isFromPage(HttpExchange exchange) {
        return pages.has(exchange.getRequestHeaders().getFirst("X-Belay-Page"));
    }

    private @Nullable String session(HttpExchange exchange) {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String part : header.split(";", -1)) {
                String stripped = part.strip();
                if (stripped.startsWith(cookie + "=")) {
                    return stripped.substring(cookie.length() + 1);
                }
            }
        }
        return null;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
