package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.servers.FakeRedis;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom of two sentinels a client believes that do not say the same, and what it makes of those that cannot say. */
class SentinelsTest {
    private static final Address FIRST = new Address("10.0.0.1", 6379);
    private static final Address SECOND = new Address("10.0.0.2", 6379);
    private static final String NOBODY = "127.0.0.1:1";
    private static final String SUBSCRIBED = "*3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1";

    /** One that says what it is told to say. */
    private static final class Sentinel {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger listeners = new AtomicInteger();
        /** What it answers to those who listen; nobody is answered before. */
        final CompletableFuture<String> subscribed = new CompletableFuture<>();

        final FakeRedis server;
        private volatile String fields = "";
        private volatile String address = "";

        Sentinel() throws IOException {
            server = FakeRedis.start(name -> switch (name) {
                case "PING" -> "+PONG";
                case "SENTINEL MASTER" -> {
                    asked.incrementAndGet();
                    yield fields;
                }
                case "SENTINEL GET-MASTER-ADDR-BY-NAME" -> address;
                case "SUBSCRIBE" -> {
                    listeners.incrementAndGet();
                    yield subscribed.join();
                }
                default -> "-ERR unknown command '" + name + "'";
            });
        }

        void says(Address master, int epoch) {
            says(master, epoch, master);
        }

        /** Leads a fail-over to another master, and has not told all replicas yet. */
        void leads(Address former, int epoch, Address next) {
            says(former, epoch, next, "failover-state", "reconf_slaves");
        }

        /** Does so, and has a user who may not ask for the address. */
        void leadsAndDenies(Address former, int epoch) {
            says(former, epoch, former, "failover-state", "reconf_slaves");
            address = "-NOPERM User x has no permissions to run the 'sentinel|get-master-addr-by-name' command";
        }

        void knowsNothing() {
            fields = "-ERR No such master with that name";
            address = "*-1";
        }

        void refuses() {
            fields = "-NOAUTH Authentication required.";
            address = fields;
        }

        private void says(Address inFields, int epoch, Address told, String... more) {
            List<String> words = new ArrayList<>(List.of(
                    "ip", inFields.host(), "port", "" + inFields.port(), "config-epoch", Integer.toString(epoch)));
            words.addAll(List.of(more));
            fields = array(words);
            address = array(List.of(told.host(), "" + told.port()));
        }

        private static String array(List<String> words) {
            StringBuilder text = new StringBuilder("*" + words.size());
            words.forEach(word -> text.append("\r\n$" + word.length() + "\r\n" + word));
            return text.toString();
        }

        String address() {
            return "127.0.0.1:" + server.port();
        }
    }

    private Sentinel one;
    private Sentinel two;
    private Connector connector;
    private Sentinels sentinels;

    @BeforeEach
    void start() throws IOException {
        one = new Sentinel();
        two = new Sentinel();
        connect(one.address());
    }

    private void connect(String first) {
        connect(first, "&protocol=resp2");
    }

    private void connect(String first, String more) {
        connector = Redis.at("redis-sentinel://" + first + "," + two.address() + "?master=m" + more)
                .connector();
        sentinels = new Sentinels(connector);
    }

    /** Has nobody at the first one's place: its own may be another test's by then. */
    private void oneIsAway() {
        connector.close();
        connect(NOBODY);
    }

    @AfterEach
    void end() throws IOException {
        connector.close();
        one.subscribed.complete("+OK"); // which ends the threads that wait for it
        two.subscribed.complete("+OK");
        one.server.close();
        two.server.close();
    }

    private Address located() {
        return sentinels.locate().join().settings().addresses().get(0);
    }

    private StoreException problem() {
        return (StoreException) catchThrowable(this::located).getCause();
    }

    @Test
    void eachTimeAnotherIsAsked() {
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        for (int i = 1; i <= 3; i++) {
            assertThat(located()).isEqualTo(FIRST);
            assertThat(located()).isEqualTo(FIRST);
            assertThat(one.asked).hasValue(i);
            assertThat(two.asked).hasValue(i);
        }
    }

    @Test
    void oneThatKnowsLessIsNotBelieved() {
        one.says(FIRST, 5);
        two.says(SECOND, 4);
        assertThat(located()).isEqualTo(FIRST);
        assertThat(two.asked).hasValue(0);
        assertThat(located()).isEqualTo(FIRST);
        assertThat(two.asked).hasValue(1);
        two.says(SECOND, 6);
        assertThat(located()).isIn(FIRST, SECOND);
        assertThat(located()).isEqualTo(SECOND);
        assertThat(located()).as("what the other says is old by now").isEqualTo(SECOND);
    }

    @Test
    void ifAllKnowLessTheyWereSetUpAnew() {
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
        one.says(SECOND, 0);
        two.says(SECOND, 0);
        assertThatThrownBy(this::located).hasMessageContaining("know less than others did");
        assertThat(located()).as("when all say so again").isEqualTo(SECOND);
    }

    /** Those that are gone for good are named by the URL until the client is started anew. */
    @Test
    void ifMostKnowLessForLongTheyWereSetUpAnew() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // a clock that wraps
        connector.close();
        connect(one.address() + "," + NOBODY);
        sentinels = new Sentinels(connector, now::get);
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
        one.says(SECOND, 0);
        two.says(SECOND, 0);
        for (int second = 0; second < 30; second += 10) {
            assertThat(problem()).hasMessageContaining("know less than others did");
            now.addAndGet(Duration.ofSeconds(10).toNanos());
        }
        two.refuses();
        assertThat(problem()).as("one of three").hasMessageContaining("know less than others did");
        one.says(FIRST, 5);
        assertThat(located()).as("one knows more again").isEqualTo(FIRST);
        one.says(SECOND, 0);
        two.says(SECOND, 0);
        assertThat(problem()).as("for the first time since").hasMessageContaining("know less than others did");
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(problem()).as("not for long").hasMessageContaining("know less than others did");
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(located()).isEqualTo(SECOND);
    }

    /** Or it would hear of no fail-over until as many were made as before. */
    @Test
    void whoStaysConnectedHearsThatTheyWereSetUpAnew() throws IOException {
        try (FakeRedis server = FakeRedis.old("7.0.15")) {
            Address master = new Address("127.0.0.1", server.port());
            one.says(master, 5);
            two.says(master, 5);
            assertThat(located()).isEqualTo(master);
            one.says(master, 0);
            two.says(master, 0);
            Queue<Address> told = listen();
            one.subscribed.complete(SUBSCRIBED);
            await().until(() -> told.contains(master));
            one.says(SECOND, 1);
            two.says(SECOND, 1);
            two.subscribed.complete(SUBSCRIBED);
            await().until(() -> told.contains(SECOND));
        }
    }

    /** They may name what was one when they were set up first. */
    @Test
    void whoIsConnectedLeavesAMasterForNoReplicaThatTheyNameWhenSetUpAnew() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<String> info = new AtomicReference<>("$10\r\nrole:slave");
        try (FakeRedis server = FakeRedis.start(name -> {
            if (name.equals("INFO")) {
                asked.incrementAndGet();
                return info.get();
            }
            return "+OK";
        })) {
            one.says(FIRST, 5);
            two.says(FIRST, 5);
            assertThat(located()).isEqualTo(FIRST);
            Address other = new Address("127.0.0.1", server.port());
            one.says(other, 0);
            two.says(other, 0);
            Queue<Address> told = listen();
            one.subscribed.complete(SUBSCRIBED);
            await().until(() -> asked.get() > 1);
            assertThat(told).isEmpty();
            assertThat(sentinels.master()).isEqualTo(FIRST);
            info.set(FakeRedis.info("7.0.15"));
            await().until(() -> told.contains(other));
        }
    }

    /** Returns where the master is, each time that one who listens to the sentinels is told so. */
    private Queue<Address> listen() {
        Queue<Address> told = new ConcurrentLinkedQueue<>();
        new FailoverWatch(connector, sentinels, told::add).start();
        return told;
    }

    @Test
    void theLeaderOfAFailOverIsBelievedWhoTheMasterIs() {
        one.says(FIRST, 5);
        two.leads(FIRST, 6, SECOND);
        assertThat(located()).isEqualTo(FIRST);
        assertThat(located()).isEqualTo(SECOND);
        assertThat(located()).as("what the other says is old by now").isEqualTo(SECOND);
    }

    @Test
    void nobodyGoesBackToAMasterThatWasLeftWithoutAnotherFailOver() {
        one.says(FIRST, 5);
        two.says(SECOND, 5); // its epoch was read before it heard of the fail-over
        assertThat(located()).isEqualTo(FIRST);
        assertThat(located()).isEqualTo(SECOND);
        assertThat(located()).isEqualTo(SECOND);
        one.says(FIRST, 7);
        two.says(FIRST, 7);
        assertThat(located()).isEqualTo(FIRST);
    }

    @Test
    void aUserWhoMayNotAskForTheAddressIsNotToldTheFormerOne() {
        one.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
        one.leadsAndDenies(FIRST, 6);
        two.leadsAndDenies(FIRST, 6);
        assertThatThrownBy(this::located).hasMessageContaining("is replacing the master, and its user may not ask");
        two.says(SECOND, 6);
        assertThat(located()).isEqualTo(SECOND);
    }

    @Test
    void ifOnlyOneAnswersAndKnowsLessNobodyIsBelieved() throws IOException {
        one.says(FIRST, 5);
        two.says(SECOND, 4);
        assertThat(located()).isEqualTo(FIRST);
        one.server.close();
        assertThatThrownBy(this::located)
                .hasMessageContaining(
                        "The sentinels at " + one.address() + ", " + two.address() + " know less than others did");
    }

    @Test
    void whoNeverHadAMasterIsToldThatAllKnowNone() {
        one.knowsNothing();
        two.knowsNothing();
        assertThat(problem())
                .hasMessageContaining("know no master 'm': check master= in the URL")
                .matches(problem -> !problem.isTemporary());
    }

    /** Its URL is right: they were set up anew, and will be told of the master. */
    @Test
    void whoHasHadAMasterAsksAgainThoughAllKnowNone() {
        one.says(FIRST, 5);
        two.knowsNothing();
        assertThat(located()).isEqualTo(FIRST);
        one.knowsNothing();
        assertThat(problem())
                .hasMessageContaining("know no master 'm' any more")
                .matches(StoreException::isTemporary);
        two.says(FIRST, 0);
        one.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
    }

    @Test
    void oneThatKnowsNoneDoesNotSpeakForOneThatCannotBeReached() throws IOException {
        two.knowsNothing();
        oneIsAway();
        assertThat(problem())
                .hasMessageContainingAll("check master=", NOBODY + " cannot be reached")
                .matches(StoreException::isTemporary);
    }

    /** One that was set up anew may know no users yet. */
    @Test
    void norDoesOneThatRefusesTheUser() throws IOException {
        two.refuses();
        oneIsAway();
        assertThat(problem())
                .hasMessageContaining(NOBODY + " cannot be reached")
                .matches(StoreException::isTemporary);
        assertThat(problem().getMessage()).doesNotContain("check master=");
    }

    /** A server that is none does not know the question, which is no reason to greet nobody any more. */
    @Test
    void oneThatIsNoSentinelChangesNoProtocol() throws IOException {
        AtomicInteger greeted = new AtomicInteger();
        try (FakeRedis server = FakeRedis.start(name -> {
            if (name.equals("HELLO")) {
                greeted.incrementAndGet();
                return "%1\r\n+proto\r\n:3";
            }
            return "-ERR unknown command '" + name + "', with args beginning with: 'm' ";
        })) {
            connector.close();
            connector = Redis.at("redis-sentinel://127.0.0.1:" + server.port() + "?master=m")
                    .connector();
            sentinels = new Sentinels(connector);
            for (int i = 1; i <= 2; i++) {
                assertThat(problem()).hasMessageContaining("is no sentinel");
                assertThat(greeted).hasValue(i);
            }
        }
    }

    /** The network may have failed since it was greeted, without anybody having been told. */
    @Test
    void oneThatAnswersNoSubscriptionIsListenedToAnew() {
        connector.close();
        connect(one.address(), "&protocol=resp2&timeout=300ms");
        FailoverWatch watch = new FailoverWatch(connector, sentinels, master -> {});
        watch.start();
        await().until(() -> one.listeners.get() > 1);
        watch.close();
    }

    private void listenWithoutHello(String login, String awaited, int times) throws IOException {
        listenWithoutHello(login, SUBSCRIBED, awaited, times);
    }

    /**
     * Listens to a sentinel that refuses HELLO, and answers so to AUTH and to SUBSCRIBE, until it was asked so often for what is
     * awaited.
     */
    private void listenWithoutHello(String login, String subscribed, String awaited, int times) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (FakeRedis server = FakeRedis.start(name -> {
            if (name.equals(awaited)) {
                asked.incrementAndGet();
            }
            return switch (name) {
                case "HELLO" ->
                    "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `default`, `geheim`, ";
                case "AUTH" -> login;
                case "SUBSCRIBE" -> subscribed;
                default -> "+OK";
            };
        })) {
            connector.close();
            connector = Redis.at("redis-sentinel://127.0.0.1:" + server.port() + "?master=m&sentinel-password=geheim")
                    .connector();
            FailoverWatch watch = new FailoverWatch(connector, new Sentinels(connector), master -> {});
            watch.start();
            await().until(() -> asked.get() >= times);
            watch.close();
        }
    }

    /** It need not be asked for the master before, by which others find out how it is spoken to. */
    @Test
    void oneWithoutHelloIsListenedTo() throws IOException {
        listenWithoutHello("+OK", "SUBSCRIBE", 1);
    }

    /** Servers that do not know a command say with what it came. */
    @Test
    void thePasswordInARefusalIsNotLogged() {
        List<String> log = Told.logged(() ->
                listenWithoutHello("-ERR unknown command `AUTH`, with args beginning with: `geheim`, ", "AUTH", 2));
        assertThat(log).anyMatch(line -> line.contains("may hear late")).noneMatch(line -> line.contains("geheim"));
    }

    /** Nothing else shows it, until a fail-over is missed. */
    @Test
    void aRefusalToBeListenedToIsAWarningOnce() {
        String denied = "-NOPERM this user has no permissions to access one of the channels used as arguments";
        List<String> channel = Told.logged(() -> listenWithoutHello("+OK", denied, "SUBSCRIBE", 3));
        assertThat(channel)
                .filteredOn(line -> line.contains("may hear late of a fail-over"))
                .singleElement()
                .asString()
                .contains("WARN", "ACL SETUSER NAME " + Sentinels.RIGHTS);
        List<String> login =
                Told.logged(() -> listenWithoutHello("-WRONGPASS invalid username-password pair", "AUTH", 3));
        assertThat(login)
                .filteredOn(line -> line.contains("may hear late of a fail-over"))
                .singleElement()
                .asString()
                .contains("WARN", "refused the user or password");
    }

    /** As while the passwords of all are changed: its own was right, and is to be so again. */
    @Test
    void whoHasHadAMasterAsksAgainThoughAllRefuseItsLogin() {
        one.says(FIRST, 5);
        two.says(FIRST, 5);
        assertThat(located()).isEqualTo(FIRST);
        one.refuses();
        two.refuses();
        assertThat(problem()).hasMessageContaining("asks for a password").matches(StoreException::isTemporary);
    }

    @Test
    void newsOfOtherMastersAreForOthers() {
        assertThat(FailoverWatch.isAbout("m 10.0.0.1 6379 10.0.0.2 6379", "m")).isTrue();
        assertThat(FailoverWatch.isAbout("m2 10.0.0.1 6379 10.0.0.2 6379", "m")).isFalse();
    }
}
