package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An etcd with authentication: a user who has the one right that the page on the store names, and those who are refused. */
@Tag("consensus")
@Tag("long")
class UsersTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static EtcdServer server;
    private static Client root;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        // A token is forgotten a second after its last use, which is logged; the default is five minutes.
        server = EtcdServer.start(null, "--auth-token-ttl", "1", "--bcrypt-cost", "4", "--log-level", "debug");
        try (Client first = Client.builder().endpoints(endpoint()).build()) {
            Users users = new Users(first);
            users.add("belay", "geheim%", Permission.Type.READWRITE);
            users.add("idle", Told.SECRET, Permission.Type.READWRITE);
            users.add("fickle", Told.SECRET, Permission.Type.READWRITE);
            users.add("barred", Told.SECRET, Permission.Type.READWRITE);
            users.add("rare", Told.SECRET, Permission.Type.READWRITE);
            users.add("reader", Told.SECRET, Permission.Type.READ);
            users.enable();
        }
        root = asRoot();
    }

    private static String endpoint() {
        return "http://127.0.0.1:" + server.port();
    }

    private static Client asRoot() {
        return Client.builder()
                .endpoints(endpoint())
                .user(Users.bytes("root"))
                .password(Users.bytes("geheim-root"))
                .retryMaxAttempts(1)
                .build();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            root.close();
            server.close();
        }
    }

    private static String url(String login) {
        return "etcd://" + login + "127.0.0.1:" + server.port();
    }

    private static Belay client() {
        return Belay.connect(url("belay:geheim%25@"));
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static void waits(Belay belay, String name, int claims) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> belay.admin().inspect(name).claims().size() == claims);
    }

    /** How many tokens of that user etcd has forgotten. */
    private static long forgotten(String user) throws Exception {
        return server.log()
                .lines()
                .filter(line -> line.contains("deleted a simple token") && line.contains("\"" + user + "\""))
                .count();
    }

    @Test
    void oneRightIsEnough() throws Exception {
        try (Belay one = client();
                Belay two = client()) {
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> waiting = two.lock("x").acquireAsync();
            waits(one, "x", 2);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease next = soon(waiting);
            assertThat(next.token()).isGreaterThan(held.token());
            CompletableFuture<Void> lost = new CompletableFuture<>();
            next.onLost(e -> lost.complete(null));
            assertThat(one.admin().forceRelease("x")).isTrue();
            soon(lost);
            assertThat(next.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);

            one.semaphore("s", 2).resize(3);
            assertThat(two.admin().names("s")).contains("s");
            try (Lease three = two.semaphore("s", 3).permits(3).acquire()) {
                assertThat(three.isHeld()).isTrue();
            }
        }
    }

    /** That a history cannot be read says nothing of the members behind it. Later versions do not tell what they are, either. */
    @Test
    void theDoctorGoesOnWhereARightIsMissing() {
        EtcdUrl parsed = EtcdUrl.parse(url("belay:geheim%25@") + "?prefix=other/");
        try (Connection connection = EtcdStoreProvider.connect(parsed, true)) {
            assertThat(Examination.of(connection, parsed))
                    .anySatisfy(finding -> assertThat(finding.subject()).isEqualTo("members"))
                    .anySatisfy(finding -> assertThat(finding.finding())
                            .startsWith("This could not be asked for: ")
                            .contains("the history. ", "denies the user belay a right"));
        }
    }

    private static LockOptions fixed(Duration lease) {
        return LockOptions.defaults().withFixedLease(lease);
    }

    /** The lease of the one key that begins so. */
    private static long lease(String prefix) {
        return root.getKVClient()
                .get(Users.bytes(prefix), GetOption.builder().isPrefix(true).build())
                .join()
                .getKvs()
                .get(0)
                .getLease();
    }

    /** Less than zero if it is no more. */
    private static long secondsLeft(long lease) {
        return root.getLeaseClient()
                .timeToLive(lease, LeaseOption.DEFAULT)
                .join()
                .getTTL();
    }

    /** The next one comes when etcd itself ends the lease: it does so without a user. */
    @Test
    void aFixedLeaseIsGrantedAndEndsAndIsRevoked() throws Exception {
        try (Belay one = client();
                Belay two = client()) {
            Lease minute = one.lock("f", fixed(Duration.ofMinutes(1))).acquire();
            long granted = lease("belay/claims/f/");
            assertThat(secondsLeft(granted)).isPositive();
            assertThat(minute.release()).isEqualTo(ReleaseOutcome.RELEASED);
            await().until(() -> secondsLeft(granted) < 0);

            Lease held = one.lock("f", fixed(Duration.ofSeconds(1))).acquire();
            Lease next = soon(two.lock("f").acquireAsync());
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(held.isHeld()).isFalse();
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void aTokenThatWasForgottenIsAskedForAnew() throws Exception {
        String idle = url("idle:geheim@");
        try (Belay one = Belay.connect(idle);
                Belay two = Belay.connect(idle)) {
            Lease held = one.lock("t").acquire();
            CompletableFuture<Lease> waiting = two.lock("t").acquireAsync();
            waits(one, "t", 2);
            await().until(() -> forgotten("idle") >= 2);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(soon(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** As of a job that runs now and then: the first thing that it asks is that its lease of before lives on. */
    @Test
    void whoWasIdleForLongerThanTheLeaseLogsInAnew() throws Exception {
        LockOptions shortly = LockOptions.defaults().withLease(Duration.ofSeconds(2));
        try (Belay belay = Belay.connect(url("rare:geheim@"))) {
            Lease first = belay.lock("i", shortly).acquire();
            long its = lease("belay/claims/i/");
            assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);
            await().until(() -> forgotten("rare") > 0 && secondsLeft(its) < 0);
            assertThat(belay.lock("i", shortly).tryAcquire(LONG)).isPresent();
        }
    }

    @Test
    void aServerThatForgetsAllTokensTakesNoLockAway() throws Exception {
        Premise.withLease(Duration.ofSeconds(6), UsersTest::aServerThatForgetsAllTokens);
    }

    private static void aServerThatForgetsAllTokens(Duration lease) throws Exception {
        String name = "r" + lease.toSeconds();
        try (Belay one = client();
                Belay two = client()) {
            LockOptions shortly = LockOptions.defaults().withLease(lease);
            Lease held = one.lock(name, shortly).acquire();
            CompletableFuture<Lease> waiting = two.lock(name, shortly).acquireAsync();
            waits(one, name, 2);
            server.restart();
            Duration remaining = held.remaining();
            Premise.check(!remaining.isZero(), "etcd is back before the lease is over");
            await().until(() -> !held.isHeld() || held.remaining().compareTo(remaining) > 0);
            Premise.check(held.isHeld(), "etcd is back in time for a renewal");
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(soon(waiting).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void whoIsRefusedIsToldWhy() {
        String here = "etcd at 127.0.0.1:" + server.port();
        assertThat(Told.unusable(url("")))
                .isEqualTo(here + " asks for a user: write USER:PASSWORD@ before the hosts into the URL");
        for (String login : new String[] {"belay:geheim@", "nobody:geheim@"}) {
            assertThat(Told.unusable(url(login)))
                    .isEqualTo(
                            here + " refused the user or password: check both; in a URL a % of theirs is written %25");
        }
        assertThat(Told.unusable(url("reader:geheim@")))
                .isEqualTo("The lock 'refused' cannot be had: " + here + " denies the user reader a right: let etcdctl"
                        + " role grant-permission ROLE readwrite belay/ --prefix=true give it to a role of its user");
        assertThat(Told.unusable(url("belay:geheim%25@") + "?prefix=other/"))
                .startsWith(here + " denies the user belay a right");
    }

    /** Whether the key that says the layout is there or not: who may only read makes none. */
    @Test
    void whoMayReadMayInspect() throws Exception {
        try (Belay owner = client();
                Belay reader = Belay.connect(url("reader:geheim@"))) {
            try (Lease held = owner.lock("seen").acquire()) {
                assertThat(held.isHeld()).isTrue();
                root.getKVClient().delete(Users.bytes("belay/layout")).join();
                assertThat(reader.admin().inspect("seen").claims()).hasSize(1);
                assertThat(reader.admin().names("see")).containsExactly("seen");
            }
            owner.lock("seen").acquire().close();
            assertThat(reader.admin().inspect("seen").claims()).isEmpty();
        }
    }

    @Test
    void whereThereAreNoUsersNoneIsNamed() throws Exception {
        try (EtcdServer open = EtcdServer.start()) {
            assertThat(Told.unusable("etcd://belay:geheim@127.0.0.1:" + open.port()))
                    .contains("knows no users", "leave USER:PASSWORD@ out of the URL");
        }
    }

    /** By a login of its own: jetcd does not log in anew for what it does with users. */
    private static void changePassword(String user, String password) {
        try (Client fresh = asRoot()) {
            new Users(fresh).changePassword(user, password);
        }
    }

    /** To keep a lease alive takes no right: what it cannot leave must not live on with what it asks for afterwards. */
    @Test
    void whoLostTheRightKeepsNoLockByAskingForOthers() throws Exception {
        LockOptions shortly = LockOptions.defaults().withLease(Duration.ofSeconds(3));
        try (Belay barred = Belay.connect(url("barred:geheim@"));
                Belay other = client()) {
            Lease held = barred.lock("b", shortly).acquire();
            CompletableFuture<Lease> waiting = other.lock("b").acquireAsync();
            waits(other, "b", 2);
            try (Client fresh = asRoot()) {
                new Users(fresh).bar("barred");
            }
            assertThat(held.release()).isNotEqualTo(ReleaseOutcome.RELEASED);
            await().pollInterval(Duration.ofMillis(200)).until(() -> {
                Throwable refused =
                        catchThrowable(() -> barred.lock("others", shortly).tryAcquire());
                assertThat(refused).isInstanceOf(StoreMisconfiguredException.class);
                return waiting.isDone();
            });
            assertThat(waiting.join().isHeld()).isTrue();
        }
    }

    @Test
    void aPasswordThatWasChangedIsOneThatIsWrong() throws Exception {
        LockOptions shortly = LockOptions.defaults().withLease(Duration.ofSeconds(3));
        try (Belay belay = Belay.connect(url("fickle:geheim@"));
                Belay other = client()) {
            belay.lock("p").acquire().close();
            Lease renewed = belay.lock("r", shortly).acquire();
            CompletableFuture<Lease> waiting = other.lock("r").acquireAsync();
            waits(other, "r", 2);
            changePassword("fickle", "another");
            long before = server.logins();
            long since = System.nanoTime();
            Throwable refused = catchThrowable(() -> belay.lock("p").acquire());
            assertThat(refused).isInstanceOf(StoreMisconfiguredException.class);
            assertThat(Told.checked(refused)).contains("refused the user or password");
            while (!waiting.isDone()) {
                assertThat(catchThrowable(() -> belay.lock("p").acquire())).isNotNull();
            }
            assertThat(renewed.isHeld()).isFalse();
            long logins = server.logins() - before;
            // Some may be on their way at once when the first one is refused; the next ones come a second later, and
            // more.
            assertThat(logins)
                    .isLessThan(10 + Duration.ofNanos(System.nanoTime() - since).toSeconds());
            assertThat(waiting.join().isHeld()).isTrue();

            changePassword("fickle", Told.SECRET);
            await().ignoreExceptions().until(() -> belay.lock("p").tryAcquire().isPresent());
        }
    }
}
