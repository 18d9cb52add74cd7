package io.belay.cli.run;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a quorum, whose members know a claim by another number than its client. */
@Tag("commands")
@Tag("long")
class QuorumDeathTest extends RunHarness {
    private static final Duration LEASE = Duration.ofSeconds(15);

    private String url = "";

    @Override
    String url() {
        return url;
    }

    @Test
    void theLockIsGivenBackWhenTheFamilyIsGone() throws Exception {
        Premise.withLease(LEASE, lease -> {
            try (RedisServer one = RedisServer.start(Version.V7_0);
                    RedisServer two = RedisServer.start(Version.V7_0);
                    RedisServer three = RedisServer.start(Version.V7_0)) {
                url = "quorum:" + one.url() + "," + two.url() + "," + three.url() + "#longest-lease="
                        + lease.toSeconds() + "s";
                theLockIsGivenBack(lease);
            }
        });
    }

    private void theLockIsGivenBack(Duration lease) throws Exception {
        try (Belay belay = Belay.connect(url)) { // waits for as long as new members have no vote
            belay.lock("first", LockOptions.defaults().withLease(lease))
                    .acquire()
                    .close();
        }
        RunProcess process =
                shell("echo token=$BELAY_TOKEN; exec sleep 600", "--lease", lease.toSeconds() + "s", "--grace", "1s");
        long token = number(process, "token");
        process.watcher();
        try (Stalls stalls = Stalls.watch(3)) {
            RunProcess.send("KILL", process.vm().pid());
            awaitNoneOf(token);
            shell("true", "--lease", lease.toSeconds() + "s").ends(0);
            stalls.inTime(stalls.taken().compareTo(lease.dividedBy(2)) < 0, "it is given back before its lease ends");
        }
        process.ends(79);
    }
}
