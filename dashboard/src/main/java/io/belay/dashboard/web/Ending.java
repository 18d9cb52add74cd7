package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.Inspection.Claim;
import io.belay.dashboard.look.Watch;
import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The end of a hold from a page, for who has typed the lock's name again. What was done, and what was refused, is a line for the
 * audit. A hold that began after the page was read is not ended. Thread-safe.
 */
final class Ending {
    private static final int LONGEST_NAME = 40;

    private final Belay belay;
    private final Watch watch;
    private final Consumer<String> audit;

    Ending(Belay belay, Watch watch, Consumer<String> audit) {
        this.belay = belay;
        this.watch = watch;
        this.audit = audit;
    }

    void serve(HttpExchange exchange) throws IOException {
        Map<String, String> form = Bodies.form(exchange);
        String name = form.getOrDefault("name", "");
        String who = form.getOrDefault("who", "").strip();
        String from = exchange.getRemoteAddress().getAddress().getHostAddress();
        if (name.isEmpty() || !name.equals(form.get("typed"))) {
            refuse(exchange, 400, name, who, from, "The name that was typed is not that of the lock.");
        } else if (who.isEmpty() || who.length() > LONGEST_NAME) {
            refuse(exchange, 400, name, who, from, "Your name is missing, or has more than 40 characters.");
        } else {
            end(exchange, name, form.getOrDefault("token", ""), who, from);
        }
    }

    private void end(HttpExchange exchange, String name, String token, String who, String from) throws IOException {
        try {
            Inspection seen = belay.admin().inspect(name);
            Claim holder = seen.claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .orElse(null);
            if (holder == null) {
                refuse(exchange, 409, name, who, from, "Nobody holds it any more.");
            } else if (!Long.toString(holder.token()).equals(token)) {
                refuse(exchange, 409, name, who, from, "Another holds it by now: look again.");
            } else if (belay.onBehalfOf(who + " from " + from).admin().forceRelease(name)) {
                say("ended the hold of " + name + " by " + holder.client() + "@" + holder.host() + ":"
                        + holder.process() + ", token " + token + ", for " + who + " from " + from);
                watch.noteEnded(name, who);
                Answers.line(exchange, 200, "The hold was ended, and its holder is told.");
            } else {
                refuse(exchange, 409, name, who, from, "Nobody holds it any more.");
            }
        } catch (BelayException e) {
            refuse(exchange, 503, name, who, from, UrlPasswords.mask(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) { // no name of a lock
            refuse(exchange, 400, name, who, from, String.valueOf(e.getMessage()));
        }
    }

    private void refuse(HttpExchange exchange, int status, String name, String who, String from, String why)
            throws IOException {
        say("did not end the hold of " + name + " for " + who + " from " + from + ": " + why);
        Answers.line(exchange, status, OneLine.of(why));
    }

    private void say(String what) {
        audit.accept(OneLine.of(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + what));
    }
}
