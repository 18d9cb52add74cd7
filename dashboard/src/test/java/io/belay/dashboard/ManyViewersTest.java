package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Two hundred pages that look at a hundred thousand locks cost the store what one does, and the server little. */
@Tag("long")
@Tag("processes")
class ManyViewersTest {
    private static final int LOCKS = Integer.getInteger("belay.dashboard.locks", 100_000);
    private static final int VIEWERS = 200;
    private static final long SECONDS = Long.getLong("belay.dashboard.seconds", 20);
    private static final int AT_ONCE = 500;

    /** What the server may ask for in a second, with what connections say of themselves. */
    private static final int MOST_COMMANDS = 520;

    /** What the server may have of the machine's memory. */
    private static final long MOST_BYTES = 128 << 20;

    /** Nothing is renewed while the dashboard's requests are counted. */
    private static final LockOptions QUIET = LockOptions.defaults().withLease(Duration.ofHours(2));

    /** What asks who has a lock, and for names. */
    private static final Set<String> READS = Set.of("evalsha", "evalsha_ro", "eval", "eval_ro", "scan");

    /** The jars that the command has for a store on Redis. */
    private static final Pattern OF_THE_COMMAND =
            Pattern.compile("/belay-|/(netty|lettuce|reactor|reactive-streams|redis-authx|slf4j|jspecify|jackson)-");

    /** The moment of a reading, which a frame tells first of all moments. */
    private static final Pattern MOMENT = Pattern.compile("\"atMillis\":([0-9]+)");

    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|_]+):calls=(\\d+)");

    /** Serves a page in a process of its own, until its input ends. */
    static final class Server {
        private Server() {}

        public static void main(String[] args) throws IOException {
            try (Dashboard dashboard = Dashboard.start(args[0], DashboardOptions.local(0))) {
                System.out.println(dashboard.url());
                while (System.in.read() >= 0) {
                    // Until the test ends.
                }
            }
        }
    }

    @Test
    void manyPagesAreOneReader() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Belay belay = Belay.connect(server.url())) {
            take(belay);
            try (ChildJvm process = startAsCommand(server.url())) {
                URI url = URI.create(process.line());
                Visitor visitor = new Visitor(new InetSocketAddress(url.getHost(), url.getPort()));
                Commands ofOne = commands(server, visitor, 1);
                Commands ofMany = commands(server, visitor, VIEWERS);
                System.out.printf("store commands: %s for one page, %s for %d%n", ofOne, ofMany, VIEWERS);
                assertThat(ofOne.perReading()).as("the premise: one page reads").isGreaterThan(100);
                assertThat(ofMany.perReading()).isLessThan(ofOne.perReading() * 1.1 + 5);
                assertThat(ofMany.perSecond()).isLessThan(MOST_COMMANDS);
                long resident = resident(process.process.pid());
                System.out.printf("resident at most: %d MB%n", resident >> 20);
                assertThat(resident).as("bytes of memory").isLessThan(MOST_BYTES);
            }
        }
    }

    /** Starts the server as the command line starts its dashboard. */
    private static ChildJvm startAsCommand(String url) throws IOException {
        String script = Files.readString(Path.of("../dist/src/share/java.sh"));
        List<String> options = Pattern.compile("defaults(?:=|\\+=)\"([^\"]*)\"")
                .matcher(script)
                .results()
                .flatMap(result -> Stream.of(result.group(1).strip().split(" ")))
                .toList();
        assertThat(options).contains("-XX:+UseSerialGC", "-Xmn4m");
        List<String> environment = Pattern.compile("(MALLOC_[A-Z_]+=)\\$\\{[A-Z_]+-([0-9]+)}")
                .matcher(script)
                .results()
                .map(result -> result.group(1) + result.group(2))
                .toList();
        assertThat(environment).hasSize(2);
        List<String> command =
                Stream.concat(Stream.of("env"), environment.stream()).toList();
        return ChildJvm.startWith(command, options, classPath(), Server.class, url);
    }

    /** Returns the class path without what the tests alone need: the table of contents of each jar takes memory. */
    private static String classPath() {
        return Stream.of(ChildJvm.classPath(Server.class).split(File.pathSeparator))
                .filter(entry ->
                        !entry.endsWith(".jar") || OF_THE_COMMAND.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the most memory that a process has had at a time, in bytes. */
    private static long resident(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }

    private static void take(Belay belay) throws InterruptedException {
        Semaphore places = new Semaphore(AT_ONCE);
        AtomicInteger taken = new AtomicInteger();
        for (int i = 0; i < LOCKS; i++) {
            places.acquire();
            belay.lock("many:" + i, QUIET).acquireAsync().whenComplete((lease, failure) -> {
                if (failure == null) {
                    taken.incrementAndGet();
                }
                places.release();
            });
        }
        places.acquire(AT_ONCE);
        assertThat(taken).as("the premise: all are held").hasValue(LOCKS);
    }

    /** How many commands the store gets; a busy machine has fewer readings in a second, and each takes as many. */
    private record Commands(double perReading, double perSecond) {
        @Override
        public String toString() {
            return String.format("%.0f a reading, %.0f a second", perReading, perSecond);
        }
    }

    /** Returns how many commands the store gets that are the dashboard's while so many look. */
    private static Commands commands(RedisServer server, Visitor visitor, int viewers) throws Exception {
        List<Visitor.Look> looks = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        AtomicInteger lost = new AtomicInteger();
        AtomicInteger frames = new AtomicInteger();
        Set<String> readings = ConcurrentHashMap.newKeySet(); // by their moments; no page has to get each
        for (int i = 0; i < viewers; i++) {
            Visitor.Look look = visitor.look("", "");
            JsonNode first = look.next();
            assertThat(first.has("awaySinceMillis")).isFalse();
            looks.add(look);
            Thread reader = new Thread(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        Matcher moment = MOMENT.matcher(look.nextText());
                        assertThat(moment.find()).isTrue();
                        readings.add(moment.group(1));
                        frames.incrementAndGet();
                    }
                } catch (IOException e) {
                    lost.incrementAndGet();
                }
            });
            readers.add(reader);
            reader.start();
        }
        awaitNext(readings);
        long before = calls(server);
        long begun = System.nanoTime();
        int readBefore = readings.size();
        frames.set(0);
        Thread.sleep(TimeUnit.SECONDS.toMillis(SECONDS));
        awaitNext(readings);
        double calls = calls(server) - before;
        double seconds = (System.nanoTime() - begun) / 1e9;
        int read = readings.size() - readBefore;
        assertThat(lost).as("streams that ended").hasValue(0);
        assertThat(frames.get() / seconds / viewers)
                .as("frames a second and page")
                .isGreaterThan(0.5);
        for (Visitor.Look look : looks) {
            look.close();
        }
        for (Thread reader : readers) {
            reader.join();
        }
        return new Commands(calls / read, calls / seconds);
    }

    /** Waits for the end of a reading. */
    private static void awaitNext(Set<String> readings) {
        int before = readings.size();
        await().atMost(Pace.patience()).pollInterval(Duration.ofMillis(10)).until(() -> readings.size() > before);
    }

    /** Returns how often the store was asked who has a lock, or for names. */
    private static long calls(RedisServer server) throws IOException {
        Matcher matcher = CALLS.matcher(server.command("INFO", "commandstats"));
        long calls = 0;
        while (matcher.find()) {
            if (READS.contains(matcher.group(1))) {
                calls += Long.parseLong(matcher.group(2));
            }
        }
        return calls;
    }
}
