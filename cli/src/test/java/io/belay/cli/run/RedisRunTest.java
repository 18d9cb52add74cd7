package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import io.belay.servers.TcpProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a Redis, which can be cut off, too. */
@Tag("commands")
@Tag("long")
class RedisRunTest extends RunSuite {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private static RedisServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = RedisServer.start(Version.V7_0);
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @BeforeEach
    void empty() throws Exception {
        server.command("FLUSHALL");
    }

    @Override
    String url() {
        return server.url();
    }

    @Test
    void whatIsNotThereIsNoStore() throws Exception {
        assertThat(start("run", "x", "--store", "redis://127.0.0.1:1", "--", "true")
                        .ends(69)
                        .err())
                .isEqualTo("belay: Redis at 127.0.0.1:1 cannot be reached: Connection refused; is it running?\n");
    }

    @Test
    void whoWaitsForSoLongWaitsForAStoreThatIsAwayToo() throws Exception {
        try (RedisServer later = RedisServer.start(Version.V7_0)) {
            later.kill();
            RunProcess waiting = start("run", "x", "--store", later.url(), "-w", "50", "-c", "echo token=$BELAY_TOKEN");
            start("run", "x", "--store", later.url(), "-w", "0.5", "--", "true").ends(69);
            start("run", "x", "--store", later.url(), "--", "true").ends(69);
            assertThat(waiting.isAlive()).isTrue();
            later.startAgain();
            waiting.ends(0);
            assertThat(number(waiting, "token")).isPositive();
        }
    }

    @Test
    void aLeaderWaitsForAStoreThatIsAway() throws Exception {
        try (RedisServer later = RedisServer.start(Version.V7_0)) {
            later.kill();
            RunProcess leader =
                    start("lead", "boss", "--store", later.url(), "--verbose", "-c", "echo leads=$BELAY_TOKEN");
            Awaitility.await().until(() -> !leader.isAlive() || leader.err().contains("standing for boss"));
            later.startAgain();
            leader.ends(0);
            assertThat(number(leader, "leads")).isPositive();
        }
    }

    /** The server stands still for longer than the lease: the command is gone before that is over. */
    @Test
    void aStoreThatStandsStillEndsTheCommandInTime() throws Exception {
        Premise.withLease(LEASE, lease -> {
            RunProcess process = shell("trap '' TERM; echo pid=$$; while :; do sleep 0.05; done", options(lease));
            long pid = number(process, "pid");
            server.stop();
            try (Stalls stalls = Stalls.watch()) {
                awaitGone(pid);
                // The last renewal was answered before: so its lease is over now in any case, and it takes that long to
                // say so.
                stalls.inTime(stalls.taken().minusMillis(200).compareTo(lease) < 0, "the command is gone");
                process.ends(79);
                assertThat(process.err()).contains("ending the command", "the store does not answer");
                stalls.inTime(!process.err().contains("stands still"), "it was this process that ended the command");
            } finally {
                server.resume();
            }
        });
    }

    /** Only the holder is cut off, and its command does all it can to live on. */
    @Test
    void theNextCommandBeginsWhenTheLeaseHasEnded() throws Exception {
        Premise.withLease(LEASE, this::theNextCommandBegins);
    }

    private void theNextCommandBegins(Duration lease) throws Exception {
        Path first = Files.createTempFile(directory, "first", "");
        Path second = Files.createTempFile(directory, "second", "");
        List<String> words = new ArrayList<>(List.of("run", "x", "--store", ""));
        words.addAll(List.of(options(lease)));
        words.addAll(
                List.of("-c", "trap '' TERM; echo ready; while :; do date +%s%N >>" + first + "; sleep 0.01; done"));
        try (TcpProxy proxy = TcpProxy.to(server);
                Belay belay = Belay.connect(url());
                Stalls stalls = Stalls.watch(2)) {
            words.set(3, proxy.url());
            RunProcess holder = start(words.toArray(String[]::new));
            holder.awaitOut("ready");
            RunProcess next = start("run", "x", "--store", url(), "-c", "date +%s%N >" + second + "; echo begun");
            Awaitility.await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            long cut = System.currentTimeMillis();
            proxy.silence();
            next.ends(0);
            holder.ends(79);
            long begun = Long.parseLong(Files.readString(second).strip());
            List<String> signs = Files.readAllLines(first);
            long last = Long.parseLong(signs.get(signs.size() - 2)); // a kill may have left half of the last line
            stalls.inTime(last < begun, "the last sign of the first came before the second");
            // The last renewal was a third of a lease before the cut at most.
            long waited = TimeUnit.NANOSECONDS.toMillis(begun) - cut;
            stalls.inTime(waited >= lease.toMillis() * 2 / 3 - 100, "the holder had renewed its lease");
        }
    }
}
