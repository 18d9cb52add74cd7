package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.belay.dashboard.client.ClientReport;
import io.belay.support.OneLine;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one way in: who may not come in gets no further. Thread-safe. */
final class Door implements HttpHandler {
    private final Gatekeeper access;
    private final Page page;
    private final EventStreams events;
    private final @Nullable Ending ending;
    private final Optional<ClientReport> own;

    Door(Gatekeeper access, Page page, EventStreams events, @Nullable Ending ending, Optional<ClientReport> own) {
        this.access = access;
        this.page = page;
        this.events = events;
        this.ending = ending;
        this.own = own;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Answers.secure(exchange);
        boolean answered = false;
        try {
            if (access.isMeant(exchange)) {
                answer(exchange, exchange.getRequestURI().getPath());
            } else {
                Answers.line(exchange, 403, "Not for this address: open the page by the one that was printed.");
            }
            answered = true;
        } catch (IllegalArgumentException e) {
            Answers.line(exchange, 400, OneLine.of(String.valueOf(e.getMessage())));
        } finally {
            if (!answered) { // whoever has answered has ended it, unless it is a stream, which goes on
                exchange.close();
            }
        }
    }

    private void answer(HttpExchange exchange, String path) throws IOException {
        boolean known = Page.hasFile(path)
                || switch (path) {
                    case "/", "/events", "/sign-in", "/end" -> true;
                    case "/client" -> own.isPresent();
                    default -> false;
                };
        String method = path.equals("/sign-in") || path.equals("/end") ? "POST" : "GET";
        if (!known) {
            Answers.line(exchange, 404, "There is nothing here.");
        } else if (!method.equals(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().set("Allow", method);
            Answers.line(exchange, 405, "This takes " + method + ".");
        } else if (Page.hasFile(path)) {
            Answers.send(exchange, 200, Page.type(path), Page.file(path));
        } else if (path.equals("/sign-in")) {
            signIn(exchange);
        } else if (access.maySee(exchange)) {
            inside(exchange, path);
        } else if (path.equals("/")) {
            Answers.send(exchange, 401, "text/html", page.signIn(""));
        } else {
            Answers.line(exchange, 401, "Sign in first.");
        }
    }

    private void inside(HttpExchange exchange, String path) throws IOException {
        if (path.equals("/")) {
            Answers.send(exchange, 200, "text/html", page.of(access.newPage()));
        } else if (path.equals("/client")) {
            Answers.send(
                    exchange, 200, "application/json", own.orElseThrow().now().toString());
        } else if (path.equals("/events")) {
            events.begin(exchange);
        } else if (ending == null) {
            Answers.line(exchange, 403, "Holds are not ended from here: the dashboard runs without --allow-break.");
        } else if (access.isFromPage(exchange)) {
            String from = exchange.getRemoteAddress().getAddress().getHostAddress();
            Ending.Outcome outcome = ending.end(Bodies.form(exchange), from);
            Answers.line(exchange, outcome.status(), outcome.line());
        } else {
            Answers.line(exchange, 403, "This page is of an earlier start, or too old: load it again.");
        }
    }

    private void signIn(HttpExchange exchange) throws IOException {
        Optional<String> cookie =
                access.signIn(Bodies.form(exchange).getOrDefault("token", "").strip());
        if (cookie.isPresent()) {
            exchange.getResponseHeaders().set("Set-Cookie", cookie.get());
            Answers.toPage(exchange);
        } else {
            Answers.send(
                    exchange,
                    401,
                    "text/html",
                    page.signIn("That is not the token, or too many have tried within this minute."));
        }
    }
}
