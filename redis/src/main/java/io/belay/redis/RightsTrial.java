package io.belay.redis;

import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tries out the rights that locks need, as a client does while it connects, by commands that change nothing; and
 * tells at once which of them the user lacks. What a server says to them besides does not count: a cluster's node
 * may send the client elsewhere.
 */
final class RightsTrial {
    /** A digest that no script has. */
    private static final String UNKNOWN_SCRIPT = "0".repeat(40);

    /** Looks the right up, since to append nothing makes the key. 6.2 cannot look, and says nothing. */
    private static final String MAY_APPEND =
            "return not redis.acl_check_cmd or redis.acl_check_cmd('APPEND', ARGV[1], '')";

    private final Settings settings;
    private final Replies replies;
    private final Set<String> missing = new LinkedHashSet<>();

    private RightsTrial(Settings settings) {
        this.settings = settings;
        replies = new Replies(settings);
    }

    /** Tries on a connection that nobody needs any more: in RESP2 it is good for nothing else afterwards. */
    static List<Finding> of(
            Settings settings, ServerInfo server, StatefulRedisPubSubConnection<String, String> connection) {
        RightsTrial trial = new RightsTrial(settings);
        trial.run(connection.sync(), Publishing.of(server) == Publishing.SHARDED);
        return trial.findings();
    }

    private void run(RedisPubSubCommands<String, String> commands, boolean sharded) {
        String key = settings.prefix() + Link.CHECK;
        String channel = settings.channel(ThreadLocalRandom.current().nextLong());
        attempt(commands::time);
        attempt(() -> commands.get(key));
        attempt(() -> commands.getrange(key, 0, 0));
        attempt(() -> commands.pttl(key));
        attempt(() -> commands.setrange(key, 0, ""));
        attempt(() -> commands.set(key, "", SetArgs.Builder.xx().keepttl()));
        attempt(() -> commands.evalsha(UNKNOWN_SCRIPT, ScriptOutputType.STATUS));
        attempt(() -> {
            boolean may = commands.<Boolean>eval(MAY_APPEND, ScriptOutputType.BOOLEAN, new String[0], key);
            if (!may && !missing.contains(settings.keyRight())) {
                missing.add("+append");
            }
        });
        attempt(() -> commands.publish(channel, ""));
        if (settings.replicas().asks()) {
            attempt(() -> commands.waitForReplication(0, 1));
        }
        if (settings.cluster()) {
            attempt(commands::asking);
        }
        if (sharded) {
            attempt(() -> commands.spublish(channel, ""));
            attempt(() -> commands.ssubscribe(channel));
            attempt(() -> commands.sunsubscribe(channel));
        }
        attempt(() -> commands.subscribe(channel));
    }

    private void attempt(Runnable command) {
        try {
            command.run();
        } catch (RedisCommandExecutionException e) {
            String said = String.valueOf(e.getMessage());
            if (said.startsWith("NOPERM ")) {
                missing.add(replies.missingRight(said));
            }
        }
    }

    private List<Finding> findings() {
        if (missing.isEmpty()) {
            return List.of();
        }
        String rights = String.join(" ", missing);
        return List.of(Finding.of(
                Severity.DANGER,
                "rights",
                "The user " + settings.userName()
                        + " lacks rights that locks need, so no client is let in as that user: " + rights + ".",
                "Run ACL SETUSER " + settings.userName() + " " + rights + " to grant them."));
    }
}
