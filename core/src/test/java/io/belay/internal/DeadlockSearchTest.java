package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.Lease;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.time.Timers;
import io.belay.servers.Proof;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All that three can do who hold a lock each: who waits for whose, since when, and whether and when one of them gives up or gives
 * back. Whatever ring stands is told by each client that is part of it after twice the threshold, and nothing else is told. Beside
 * them an oracle sees who holds and waits, without any note.
 */
@Tag("search")
class DeadlockSearchTest {
    private static final int SIZE = 3;
    private static final long STEP = 100;
    private static final long END = 5_000;
    private static final long THRESHOLD = 1_000;
    private static final long[] BEGINS = {0, 300, 1_200};
    private static final long[] CHANGES = {600, 1_100, 1_300, 2_500};

    /**
     * What the three do.
     *
     * @param clients which client each of them uses
     * @param wants whose lock each waits for; its own number if it does not wait
     * @param begins when each begins to wait, in milliseconds
     * @param who changes something, below 0 if nobody does
     * @param givesBack whether that one gives back what it holds; else it gives up its wait
     * @param when it does so
     * @param delay for how long requests are under way, in milliseconds
     */
    private record Plan(int[] clients, int[] wants, long[] begins, int who, boolean givesBack, long when, long delay) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < SIZE; i++) {
                text.append(i + " (client " + clients[i] + ") "
                        + (wants[i] == i
                                ? "waits for nothing; "
                                : "waits for " + wants[i] + " at " + begins[i] + "; "));
            }
            return text + (who < 0 ? "" : who + (givesBack ? " gives back" : " gives up") + " at " + when)
                    + ", requests take " + delay;
        }
    }

    /** The three at work. */
    private static final class Run {
        final Plan plan;
        final TestWorld world = new TestWorld();
        final List<Node> nodes = new ArrayList<>();
        final List<Lease> leases = new ArrayList<>();
        final List<@Nullable CompletableFuture<Lease>> waits = new ArrayList<>();
        /** What each client has told, as the numbers of those in the ring. */
        final Map<Integer, Set<Set<Integer>>> told = new HashMap<>();
        /** Since when the rings stand that do, and when those stood last that have. */
        final Map<Set<Integer>, Long> since = new HashMap<>();

        final Map<Set<Integer>, Long> last = new HashMap<>();
        final List<String> phantoms = new ArrayList<>();
        long now;
        int tellings;

        Run(Plan plan) {
            this.plan = plan;
            for (int i = 0; i <= 2; i++) {
                int number = i;
                BelayListener listener = new BelayListener() {
                    @Override
                    public void deadlock(Deadlock deadlock) {
                        tells(number, deadlock);
                    }
                };
                nodes.add(world.client(
                        BelayOptions.defaults().withSlowWait(Duration.ZERO).withListener(listener)));
            }
            for (int i = 0; i < SIZE; i++) {
                leases.add(held(asks(i, i)));
                waits.add(null);
            }
            nodes.forEach(this::slowDown);
        }

        private void slowDown(Node node) {
            if (plan.delay > 0) {
                node.line().delay = request -> node.engine()
                        .timers
                        .schedule(Timers.Timer.of(request), world.time.nanos() + plan.delay * 1_000_000);
            }
        }

        private CompletableFuture<Lease> asks(int who, int lock) {
            return nodes.get(plan.clients[who])
                    .client()
                    .onBehalfOf("owner " + who)
                    .lock("lock " + lock)
                    .acquireAsync();
        }

        /** Notes what a client tells; what a listener throws would reach nobody. */
        private void tells(int client, Deadlock deadlock) {
            Set<Integer> ring = new TreeSet<>();
            boolean right = true;
            for (Deadlock.Edge edge : deadlock.ring()) {
                int who = edge.behalf().charAt(edge.behalf().length() - 1) - '0';
                ring.add(who);
                right &= edge.holds().equals("lock " + who) && edge.waitsFor().equals("lock " + plan.wants[who]);
            }
            if (!right || !last.containsKey(ring) || now - last.get(ring) > plan.delay) {
                phantoms.add(ring + " at " + now + " ms: " + deadlock);
            }
            told.computeIfAbsent(client, any -> new HashSet<>()).add(ring);
            tellings++;
        }

        /** Returns whose hold a thread waits for; below 0 if it waits for nobody. */
        private int waitsFor(int who) {
            CompletableFuture<Lease> wait = waits.get(who);
            int other = plan.wants[who];
            return wait != null && !wait.isDone() && leases.get(other).isHeld() ? other : -1;
        }

        private Set<Set<Integer>> rings() {
            Set<Set<Integer>> rings = new HashSet<>();
            for (int from = 0; from < SIZE; from++) {
                Set<Integer> ring = new TreeSet<>();
                int at = from;
                do {
                    ring.add(at);
                    at = waitsFor(at);
                } while (at >= 0 && at != from && ring.size() < SIZE);
                if (at == from) {
                    rings.add(ring);
                }
            }
            return rings;
        }

        int run() {
            for (now = 0; now < END; now += STEP) {
                act();
                Set<Set<Integer>> rings = rings();
                since.keySet().retainAll(rings);
                for (Set<Integer> ring : rings) {
                    last.put(ring, now);
                    long stands = now - since.computeIfAbsent(ring, any -> now);
                    for (int who : ring) {
                        assertThat(stands < 2 * THRESHOLD + plan.delay
                                        || told.getOrDefault(plan.clients[who], Set.of())
                                                .contains(ring))
                                .as("%s: a ring of %s stands for %s ms and is not told", plan, ring, stands)
                                .isTrue();
                    }
                }
                world.pass(Duration.ofMillis(STEP));
                assertThat(phantoms)
                        .as("%s: what is told though it does not stand", plan)
                        .isEmpty();
            }
            waits.forEach(wait -> {
                if (wait != null) {
                    wait.cancel(false);
                }
            });
            return tellings;
        }

        private void act() {
            for (int i = 0; i < SIZE; i++) {
                if (plan.wants[i] != i && plan.begins[i] == now) {
                    waits.set(i, asks(i, plan.wants[i]));
                }
            }
            if (plan.who >= 0 && plan.when == now) {
                CompletableFuture<Lease> wait = waits.get(plan.who);
                if (plan.givesBack) {
                    leases.get(plan.who).releaseAsync();
                } else if (wait != null) {
                    wait.cancel(false);
                }
            }
        }
    }

    private final PrintStream before = System.err;
    private int worlds;
    private int told;

    @BeforeEach
    void logNothing() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    @AfterEach
    void logAgain() {
        System.setErr(before);
    }

    /** In the short proof one in so many. */
    private void run(Plan plan) {
        if (worlds++ % Proof.times(23, 1) == 0) {
            told += new Run(plan).run();
        }
    }

    private void search(int[] clients, long delay) {
        for (int wants = 0; wants < 27; wants++) {
            for (int begins = 0; begins < 27; begins++) {
                int[] whose = {wants % 3, wants / 3 % 3, wants / 9};
                long[] since = {BEGINS[begins % 3], BEGINS[begins / 3 % 3], BEGINS[begins / 9]};
                run(new Plan(clients, whose, since, -1, false, 0, delay));
                for (int who = 0; who < SIZE; who++) {
                    for (long when : CHANGES) {
                        run(new Plan(clients, whose, since, who, true, when, delay));
                        run(new Plan(clients, whose, since, who, false, when, delay));
                    }
                }
            }
        }
        System.out.println("belay: " + worlds + " worlds, " + told + " rings told");
        assertThat(told).isGreaterThan(worlds / Proof.times(23, 1) / 10);
    }

    @Test
    void aClientEach() {
        search(new int[] {0, 1, 2}, 0);
    }

    @Test
    void twoOfThemInOneClient() {
        search(new int[] {0, 0, 1}, 0);
    }

    @Test
    void allRequestsAreLate() {
        search(new int[] {0, 1, 2}, 150);
    }
}
