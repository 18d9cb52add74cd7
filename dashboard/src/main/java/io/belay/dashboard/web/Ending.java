package io.belay.dashboard.web;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection.Claim;
import io.belay.StoreUnavailableException;
import io.belay.dashboard.look.Watch;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The end of all holds of a lock from a page, for who has typed its name again. What is about to be done, what was done, and what was
 * refused is a line for the audit, one for each hold; where the first cannot be written nothing is done. Where others hold the lock
 * than the page showed none is ended. Thread-safe.
 */
final class Ending {
    private static final int LONGEST_NAME = 40;
    private static final Log LOG = Log.of(LogName.CLIENT);

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
     * Ends the holds, or does not.
     *
     * @param form the lock's {@code name}, the name that was {@code typed}, {@code who} asks, and the {@code tokens} of all holds that
     *     were seen, with spaces between them
     * @param from where the request comes from
     */
    Outcome end(Map<String, String> form, String from) {
        String name = form.getOrDefault("name", "");
        String who = form.getOrDefault("who", "").strip();
        if (name.isEmpty() || !name.equals(form.get("typed"))) {
            return refuse(400, name, who, from, "The name that was typed is not that of the lock.");
        }
        if (who.isEmpty() || who.length() > LONGEST_NAME || !who.equals(OneLine.printable(who))) {
            return refuse(
                    400,
                    name,
                    who,
                    from,
                    "Your name is missing, has more than 40 characters, or some that do not print.");
        }
        return end(name, form.getOrDefault("tokens", ""), who, from);
    }

    private Outcome end(String name, String tokens, String who, String from) {
        try {
            List<Claim> holders = belay.admin().inspect(name).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .toList();
            if (holders.isEmpty()) {
                return refuse(409, name, who, from, "Nobody holds it any more.");
            }
            Set<String> now = holders.stream()
                    .map(holder -> Long.toString(holder.token()))
                    .collect(Collectors.toSet());
            if (!now.equals(new HashSet<>(List.of(tokens.split(" ", -1))))) {
                return refuse(409, name, who, from, "Others hold it by now than when the page was read: look again.");
            }
            String by = who + " from " + from;
            // Before it is done, or whoever fills the disk first ends holds and leaves no trace.
            if (!holders.stream().allMatch(holder -> say("is about to end", name, holder, by))) {
                return refuse(503, name, who, from, "The line for the audit cannot be written, so nothing was ended.");
            }
            try {
                if (!belay.onBehalfOf(by).admin().forceRelease(name)) {
                    return refuse(409, name, who, from, "Nobody holds it any more.");
                }
            } catch (StoreUnavailableException e) { // which may have done it
                holders.forEach(holder -> say("may have ended", name, holder, by));
                return new Outcome(503, "It may have been ended: the store did not say so in time. Look again.");
            }
            holders.forEach(holder -> say("ended", name, holder, by));
            watch.noteEnded(name, who);
            return new Outcome(200, "What was held is ended, and who held it is told.");
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

    /** Writes a line for the audit; returns whether it could. */
    private boolean say(String done, String name, Claim holder, String by) {
        return say(done + " the hold of " + name + " by " + holder.client() + "@" + holder.host() + ":"
                + holder.process() + ", token " + holder.token() + ", for " + by);
    }

    private boolean say(String what) {
        String line = OneLine.of(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + what);
        try {
            audit.accept(line);
            return true;
        } catch (RuntimeException e) { // what was done stays so, and whoever has done it is told what it was
            String why = OneLine.of(String.valueOf(e.getMessage()));
            LOG.error("A line for the audit of ended holds could not be written ({}): {}", why, line, e);
            return false;
        }
    }
}
