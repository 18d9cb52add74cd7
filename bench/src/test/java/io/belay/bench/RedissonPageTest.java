package io.belay.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.Snippets;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.RedissonMultiLock;
import org.redisson.api.ExpiredObjectListener;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RExpirable;
import org.redisson.api.RFencedLock;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.api.RObject;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The page for those who come from Redisson has all that its locks can do, and its snippets compile. */
class RedissonPageTest {
    private static final PeerPage PAGE = new PeerPage("migrating-from-redisson.md");
    private static final String OBJECTS = "RObject and RExpirable";

    /** What objects of all kinds can do, in a section of its own. */
    private static final Set<String> OF_ALL_OBJECTS = Stream.of(RObject.class, RExpirable.class)
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .map(Method::toString)
            .collect(Collectors.toSet());

    /** The listeners of a lock are one thing, with futures or without, and so are methods that answer by one. */
    private static boolean isNamedOnly(Method method) {
        return method.getName().endsWith("Listener") || method.getReturnType() == RFuture.class;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                RLock.class,
                RFencedLock.class,
                RReadWriteLock.class,
                RSemaphore.class,
                RPermitExpirableSemaphore.class,
                RCountDownLatch.class,
                RedissonMultiLock.class
            })
    void thePageHasEveryMethod(Class<?> type) throws Exception {
        String section = PAGE.section(type.getSimpleName());
        // What a fenced lock has of every lock is said there.
        String all = type == RFencedLock.class ? section + PAGE.section("RLock") : section;
        List<String> methods = Arrays.stream(type.getMethods())
                .filter(method ->
                        !Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() != Object.class)
                .filter(method -> !OF_ALL_OBJECTS.contains(method.toString()))
                .map(method -> isNamedOnly(method) ? "`" + method.getName() + "`" : PeerPage.shown(method))
                .distinct()
                .toList();
        assertThat(methods).isNotEmpty().allSatisfy(method -> assertThat(all).contains(method));
    }

    @Test
    void thePageHasWhatEveryObjectHas() throws Exception {
        String section = PAGE.section(OBJECTS);
        assertThat(Stream.of(RObject.class, RExpirable.class)
                        .flatMap(type -> Arrays.stream(type.getMethods()))
                        .map(method -> method.getName().replaceFirst("Async$", ""))
                        .distinct())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(section).contains("`" + name + "`"));
    }

    @Test
    void aWaiterOfAFairLockThatDiedIsWaitedForAsThePageSays() throws Exception {
        long minutes = Duration.ofMillis(new Config().getFairLockWaitTimeout()).toMinutes();
        assertThat(PAGE.section("The config")).contains("`setFairLockWaitTimeout` (" + minutes + " min)");
        assertThat(PAGE.section("What differs everywhere"))
                .contains("holds the others up for " + minutes + " min each");
    }

    @Test
    void aPermitThatIsAcquiredWithoutATimeNeverExpiresAsThePageSays() throws Exception {
        assertThat(PAGE.section("RPermitExpirableSemaphore")).contains("never expires in Redisson");
        Config config = new Config();
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            config.useSingleServer().setAddress(server.url());
            RedissonClient redisson = Redisson.create(config);
            try {
                RPermitExpirableSemaphore permits = redisson.getPermitExpirableSemaphore("x");
                permits.setPermits(3);
                assertThat(permits.getLeaseTime(permits.acquire())).isEqualTo(-1);
                assertThat(permits.getLeaseTime(permits.tryAcquire(1, TimeUnit.MINUTES)))
                        .isEqualTo(-1);
                assertThat(permits.getLeaseTime(permits.acquire(1, TimeUnit.HOURS)))
                        .isPositive();
            } finally {
                redisson.shutdown();
            }
        }
    }

    @Test
    void aLossIsToldByTheServersEventsAsThePageSays() throws Exception {
        assertThat(PAGE.section("What differs everywhere")).contains("| a loss | told to an `ExpiredObjectListener`");
        Config config = new Config();
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0, "--notify-keyspace-events", "Ex")) {
            config.useSingleServer().setAddress(server.url());
            RedissonClient redisson = Redisson.create(config);
            try {
                RLock lock = redisson.getLock("x");
                CompletableFuture<String> told = new CompletableFuture<>();
                lock.addListener((ExpiredObjectListener) told::complete);
                lock.lock(50, TimeUnit.MILLISECONDS);
                assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("x");
            } finally {
                redisson.shutdown();
            }
        }
    }

    /** Another version may do more: whoever raises one reads the pages again. */
    @Test
    void thePageBesideTheOthersIsAboutTheVersionsThatAreMeasured() throws Exception {
        String poms = Files.readString(Path.of("pom.xml")) + Files.readString(Path.of("..", "pom.xml"));
        List<String> read = Pattern.compile("(\\w+) (\\d+\\.[\\d.]+)")
                .matcher(Files.readString(Path.of("..", "docs", "comparison.md"))
                        .lines()
                        .filter(line -> line.startsWith("What was read"))
                        .findFirst()
                        .orElseThrow())
                .results()
                .map(peer -> "<" + peer.group(1).toLowerCase(Locale.ROOT) + ".version>" + peer.group(2))
                .toList();
        assertThat(read).hasSize(4).allSatisfy(version -> assertThat(poms).contains(version));
    }

    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = PAGE.snippets();
        assertThat(snippets.count()).isGreaterThan(2);
        String fields = "interface Stock { void sell(long token); } Stock stock;"
                + "interface Report { void run(); void stop(); } Report report;"
                + "abstract void render(Duration time); abstract void transfer();";
        List<String> imports = List.of("io.belay.*", "io.belay.recipes.*", "java.time.Duration", "java.util.List");
        // The first block makes the client that the others take for granted.
        assertThat(snippets.complaints(RedissonPageTest.class, imports, "Belay belay;" + fields))
                .isEmpty();
    }
}
