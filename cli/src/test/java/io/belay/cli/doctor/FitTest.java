package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.cli.Cli;
import io.belay.servers.CommandRun;
import io.belay.servers.EtcdServer;
import io.belay.servers.MongoServer;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The doctor on stores of each kind that are well; on those of {@link FaultsTest}, before they get a fault. */
class FitTest {
    static final Duration ANY = Duration.ofSeconds(1);

    /** What the doctor says of a store whose answers take longer than it waits for them. */
    private static final Pattern LATE = Pattern.compile("did not answer (in time|within \\d+ ms)"
            + "|of their \\d+ tries were answered|was not had by who waited for it within \\d+ s");

    @TempDir
    private Path directory;

    /** Checks that a run is as it should be, or that it is not because the store was late. */
    static void inTime(boolean right, CommandRun run) {
        Premise.check(right || !LATE.matcher(words(run.output())).find(), "the store answers in time");
    }

    /** Returns a text as one line, which the doctor wraps. */
    static String words(String text) {
        return text.replaceAll("\\s+", " ");
    }

    /** Checks that a store is fit for locks, and that this is not said without one. */
    static void fit(String url) throws Exception {
        Premise.withLease(ANY, anyLease -> isFit(url));
    }

    /** Checks that a store is fit for locks with a lease of so many seconds, and that this is said. */
    static void fitForLeases(int seconds, String url) throws Exception {
        Premise.withLease(
                ANY,
                anyLease -> assertThat(words(isFit(url)))
                        .contains(
                                "NOTE lease Locks with the lease of 30 s that they have by default are refused here, and those with one of "
                                        + seconds + " s are taken: ")
                        .contains(" or --lease " + seconds + "s."));
    }

    /** Returns what it says when it has taken a lock. */
    private static String isFit(String url) {
        CommandRun run = Cli.inside("doctor", "--store", url);
        inTime(run.exitCode() == 0, run);
        assertThat(run.output().lines())
                .as(run.output())
                .last()
                .asString()
                .startsWith("fit: a lock was taken, and nothing found that endangers locks on ");
        assertThat(run.exitCode()).as(run.output()).isZero();
        CommandRun reading = Cli.inside("doctor", "--read-only", "--store", url);
        inTime(reading.exitCode() == 4, reading);
        assertThat(reading.output().lines())
                .as(reading.output())
                .last()
                .asString()
                .startsWith("nothing found; no lock was taken on ");
        assertThat(reading.exitCode()).as(reading.output()).isEqualTo(4);
        return run.output();
    }

    /** Checks that locks work on a server of which there is one warning: of its version, as Debian's may have, or that it is alone. */
    static void fitBut(String subject, String url) throws Exception {
        Premise.withLease(ANY, anyLease -> isFitBut(subject, url));
    }

    private static void isFitBut(String subject, String url) {
        CommandRun run = Cli.inside("doctor", "--store", url);
        List<String> failures = run.output()
                .lines()
                .filter(line -> line.matches("(DANGER|WARNING) .*"))
                .toList();
        Predicate<String> expected = ("WARNING  " + subject)::equals;
        inTime(run.exitCode() < 2 && failures.stream().allMatch(expected), run);
        assertThat(failures).as(run.output()).allMatch(expected);
        assertThat(run.output().lines())
                .last()
                .asString()
                .matches("(fit: a lock was taken|fit with limits: 0 dangers, ).*");
    }

    @Test
    @Tag("long")
    void embeddedDatabases() throws Exception {
        for (String url :
                List.of("jdbc:sqlite:" + directory.resolve("shop.db"), "jdbc:h2:file:" + directory.resolve("shop"))) {
            BelayAdmin.prepare(url);
            fit(url);
        }
    }

    @Test
    void directoryOfItsOwn() throws Exception {
        fit("file:" + Files.createDirectory(directory.resolve("locks")));
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    @Tag("long")
    void everyRedis(Version version) throws Exception {
        try (RedisServer server = RedisServer.builder(version)
                .options("--appendonly", "yes", "--appendfsync", "always")
                .options("--acl-pubsub-default", "resetchannels") // as from 7.0 on by itself
                .password("geheim")
                .start()) {
            fit(FaultsTest.url(server));
        }
    }

    @Test
    @Tag("long")
    void mongo() throws Exception {
        try (MongoServer server = MongoServer.start()) {
            fitBut("members", server.url());
        }
    }

    @Test
    @Tag("long")
    void threeMembersOfEtcd() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        List<EtcdServer> members = EtcdServer.start(3);
        try {
            fitBut(
                    "version",
                    members.stream()
                            .map(member -> "127.0.0.1:" + member.port())
                            .collect(Collectors.joining(",", "etcd://", "")));
        } finally {
            members.forEach(EtcdServer::close);
        }
    }

    /** Its members vote once the longest lease is over since they were new. */
    @Test
    @Tag("long")
    void quorum() throws Exception {
        try (RedisServer one = FaultsTest.durable();
                RedisServer other = FaultsTest.durable();
                RedisServer third = FaultsTest.durable()) {
            String url = Stream.of(one, other, third)
                    .map(FaultsTest::url)
                    .collect(Collectors.joining(",", "quorum:", "#longest-lease=10s"));
            try (Belay first = Belay.connect(url)) {
                LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(10));
                assertThat(first.lock("first", options)
                                .tryAcquire(Duration.ofMinutes(2))
                                .map(Lease::release))
                        .isPresent();
            }
            fitForLeases(10, url);
        }
    }
}
