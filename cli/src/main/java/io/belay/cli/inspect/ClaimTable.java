package io.belay.cli.inspect;

import io.belay.Inspection.Claim;
import io.belay.LockMode;
import io.belay.cli.text.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The claims on a lock, as a table and as JSON. */
public final class ClaimTable {
    private ClaimTable() {}

    static String text(List<Claim> claims) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "PLACE",
                "CLIENT",
                "HOST",
                "PROCESS",
                "THREAD",
                "FOR",
                "MODE",
                "AGE",
                "HELD",
                "HEARD",
                "REMAINING",
                "TOKEN",
                "LOCAL WAITERS"));
        for (Claim claim : claims) {
            rows.add(List.of(
                    claim.place() == 0 ? "holds" : Integer.toString(claim.place()),
                    Text.printable(claim.client()),
                    Text.printable(claim.host()),
                    Long.toString(claim.process()),
                    orDash(Text.printable(claim.thread())),
                    orDash(Text.printable(claim.behalf())),
                    mode(claim),
                    seconds(claim.age()),
                    seconds(claim.held()),
                    seconds(claim.heard()),
                    seconds(claim.remaining()),
                    claim.token() == 0 ? "-" : Long.toString(claim.token()),
                    Integer.toString(claim.localWaiters())));
        }
        return Text.table(rows);
    }

    static Map<String, Object> json(Claim claim) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("place", claim.place());
        object.put("client", claim.client());
        object.put("host", claim.host());
        object.put("process", claim.process());
        object.put("thread", claim.thread());
        object.put("behalf", claim.behalf());
        object.put("mode", claim.mode().name().toLowerCase(Locale.ROOT));
        object.put("permits", claim.permits());
        object.put("ageMillis", claim.age().toMillis());
        claim.held().ifPresent(held -> object.put("heldMillis", held.toMillis()));
        claim.heard().ifPresent(heard -> object.put("heardMillis", heard.toMillis()));
        object.put("remainingMillis", claim.remaining().toMillis());
        object.put("token", claim.token());
        object.put("localWaiters", claim.localWaiters());
        return object;
    }

    /** Returns who a claim belongs to, in a few words. */
    public static String who(Claim claim) {
        return Text.printable(claim.client() + "@" + claim.host() + ":" + claim.process()
                + (claim.behalf().isEmpty() ? "" : " for " + claim.behalf()));
    }

    private static String mode(Claim claim) {
        return claim.mode() == LockMode.PERMITS
                ? claim.permits() + (claim.permits() == 1 ? " permit" : " permits")
                : claim.mode().name().toLowerCase(Locale.ROOT);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    static String seconds(Optional<Duration> duration) {
        return duration.map(ClaimTable::seconds).orElse("-");
    }

    static String seconds(Duration duration) {
        return Text.format("%.3fs", duration.toNanos() / 1e9);
    }
}
