package io.belay.dashboard.web;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.Inspection.Claim;
import io.belay.dashboard.look.Watch;
import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
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

    /** What has come of it: a status of HTTP, and a line for people. */
    record Outcome(int status, String line) {}

    /**
     * Ends a hold, or does not.
     *
     * @param form the lock's {@code name}, the name that was {@code typed}, {@code who} asks, and the {@code token} of the hold that
     *     was seen
     * @param from where the request comes from
     */
    Outcome end(Map<String, String> form, String from) {
        String name = form.getOrDefault("name", "");
        String who = form.getOrDefault("who", "").strip();
        if (name.isEmpty() || !name.equals(form.get("typed"))) {
            return refuse(400, name, who, from, "The name that was typed is not that of the lock.");
        }
        if (who.isEmpty() || who.length() > LONGEST_NAME) {
            return refuse(400, name, who, from, "Your name is missing, or has more than 40 characters.");
        }
        return end(name, form.getOrDefault("token", ""), who, from);
    }

    private Outcome end(String name, String token, String who, String from) {
        try {
            Inspection seen = belay.admin().inspect(name);
            Claim holder = seen.claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .orElse(null);
            if (holder == null) {
                return refuse(409, name, who, from, "Nobody holds it any more.");
            }
            if (!Long.toString(holder.token()).equals(token)) {
                return refuse(409, name, who, from, "Another holds it by now: look again.");
            }
            if (!belay.onBehalfOf(who + " from " + from).admin().forceRelease(name)) {
                return refuse(409, name, who, from, "Nobody holds it any more.");
            }
            say("ended the hold of " + name + " by " + holder.client() + "@" + holder.host() + ":" + holder.process()
                    + ", token " + token + ", for " + who + " from " + from);
            watch.noteEnded(name, who);
            return new Outcome(200, "The hold was ended, and its holder is told.");
        } catch (BelayException e) {
            return refuse(503, name, who, from, UrlPasswords.mask(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) { // no name of a lock
            return refuse(400, name, who, from, String.valueOf(e.getMessage()));
        }
    }

    private Outcome refuse(int status, String name, String who, String from, String why) {
        say("did not end the hold of " + name + " for " + who + " from " + from + ": " + why);
        return new Outcome(status, OneLine.of(why));
    }

    private void say(String what) {
        audit.accept(OneLine.of(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + what));
    }
}
