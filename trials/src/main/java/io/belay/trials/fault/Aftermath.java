package io.belay.trials.fault;

import io.belay.Belay;
import io.belay.servers.RedisServer;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Looks at what a store still has when all clients are gone and their claims have had the time to end. */
final class Aftermath {
    /** The key by which a member of a quorum knows itself. */
    private static final String MARK = "belay:\u0001birth";

    private final Site site;
    private final Journal journal;
    private final Duration claimsEnd;

    /** Creates an examination; {@code claimsEnd} is how long the store keeps the claims of the dead. */
    Aftermath(Site site, Journal journal, Duration claimsEnd) {
        this.site = site;
        this.journal = journal;
        this.claimsEnd = claimsEnd;
    }

    /** Writes down what is left in the store. Blocks for {@code claimsEnd} first. */
    void examine(History history) throws IOException, InterruptedException {
        Thread.sleep(claimsEnd.toMillis());
        try (Belay belay = Belay.connect(site.url(0))) {
            history.events(Type.ASK).stream()
                    .map(event -> event.name())
                    .distinct()
                    .forEach(name -> {
                        int claims = belay.admin().inspect(name).claims().size();
                        if (claims > 0) {
                            journal.left(name, claims, 0);
                        }
                    });
        }
        String script = script();
        for (RedisServer server : site.redis()) {
            server.command("EVAL", script, "0").lines().forEach(line -> {
                String[] words = line.split(" ", 3);
                if (!words[2].equals(MARK)) {
                    String name = words[2].replace(' ', '_');
                    journal.left(name, 0, Long.parseLong(words[0]));
                    journal.record(name, 0, Long.parseLong(words[1]));
                }
            });
        }
    }

    private static String script() throws IOException {
        try (InputStream in = Aftermath.class.getResourceAsStream("keys.lua")) {
            if (in == null) {
                throw new IOException("keys.lua is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
