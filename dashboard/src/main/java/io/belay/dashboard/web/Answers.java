package io.belay.dashboard.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Answers to requests, with what browsers are told of each: to load nothing from elsewhere, and to keep nothing. */
final class Answers {
    /** What the page says itself, too, where nobody can say it for it; that it is in no frame only a header can. */
    static final String POLICY_OF_PAGE = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'";

    private static final String POLICY = POLICY_OF_PAGE + "; frame-ancestors 'none'";

    private Answers() {}

    /** Sets the headers that every answer has. */
    static void secure(HttpExchange exchange) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        // With none at all browsers would not say of a form where it comes from.
        headers.set("Referrer-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** Sends a whole answer, or its head alone to who asks for that, and ends the exchange. */
    static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        if (exchange.getRequestMethod().equals("HEAD")) { // of a length the JDK would print a warning, and take no body
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            return;
        }
        try (exchange;
                OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(status, bytes.length);
            out.write(bytes);
        }
    }

    /** Sends a line for people. */
    static void line(HttpExchange exchange, int status, String line) throws IOException {
        send(exchange, status, "text/plain", line + "\n");
    }

    /** Sends the browser to the page. */
    static void toPage(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Location", "/");
        exchange.sendResponseHeaders(303, -1);
        exchange.close();
    }
}
