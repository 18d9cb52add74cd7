package io.belay.shedlock;

import io.belay.Belay;
import io.belay.RequestKind;
import io.belay.StoreUnavailableException;
import io.belay.servers.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A node of its own that starts a job, and ends as its input says. */
final class JobProcess {
    static final String JOB = "report";

    private JobProcess() {}

    static ChildJvm start(String url, Duration lease) throws IOException {
        ChildJvm started = ChildJvm.start(JobProcess.class, url, lease.toString());
        if (!"ready".equals(started.line())) {
            throw new IOException("the node did not start");
        }
        return started;
    }

    static LockConfiguration job(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), JOB, atMost, atLeast);
    }

    /** Reads {@code lock ATMOST ATLEAST}, {@code unlock}, {@code close} or {@code exit}, and says how it went. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        Belay belay = Belay.connect(arguments[0]);
        BelayLockProvider provider = BelayLockProvider.of(belay).withLease(Duration.parse(arguments[1]));
        Optional<SimpleLock> had = Optional.empty();
        System.out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] order = line.split(" ", -1);
            switch (order[0]) {
                case "lock" -> {
                    had = lock(provider, Duration.parse(order[1]), Duration.parse(order[2]));
                    if (had.isPresent() && !Duration.parse(order[2]).isZero()) {
                        awaitFix(belay);
                    }
                    System.out.println(had.isPresent() ? "runs" : "skips");
                }
                case "unlock" -> {
                    had.orElseThrow().unlock();
                    System.out.println("unlocked");
                }
                case "close" -> {
                    belay.close();
                    System.out.println("closed");
                }
                case "exit" -> System.exit(0);
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    /** Asks again where the machine has kept the answer longer than somebody waits who waits for nobody. */
    private static Optional<SimpleLock> lock(BelayLockProvider provider, Duration atMost, Duration atLeast) {
        while (true) {
            try {
                return provider.lock(job(atMost, atLeast));
            } catch (StoreUnavailableException e) {
                System.err.println("again: " + e.getMessage());
            }
        }
    }

    /** Waits until the store has fixed the end: a node that dies before that, within a round trip of its grant, frees the lock. */
    private static void awaitFix(Belay belay) throws InterruptedException {
        while (belay.admin().statistics().requests().get(RequestKind.CHANGE).answered() == 0) {
            Thread.sleep(1);
        }
    }
}
