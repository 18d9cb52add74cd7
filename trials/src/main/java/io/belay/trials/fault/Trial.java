package io.belay.trials.fault;

import io.belay.trials.check.Checks;
import io.belay.trials.check.RateReturns;
import io.belay.trials.client.Holder;
import io.belay.trials.client.Settings;
import io.belay.trials.history.History;
import io.belay.trials.library.Libraries;
import io.belay.trials.plant.Plant;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A run of a plan: starts the store and the clients, lets things go wrong, ends, and leaves the histories behind. */
public final class Trial {
    /** The time after which an event is surely written down, but by who is stopped. */
    private static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Plan plan;
    private final Builds builds;
    private final PrintStream progress;

    /** Creates a trial of this plan with clients of these builds, which tells how far it is. */
    public Trial(Plan plan, Builds builds, PrintStream progress) {
        this.plan = plan;
        this.builds = builds;
        this.progress = progress;
    }

    /** The number of faults, and what went wrong besides. */
    public record Outcome(int strikes, List<String> troubles) {}

    /** Runs the plan; blocks until it is over. A planted bug ends it as soon as it has been found. */
    public Outcome run() throws IOException, InterruptedException {
        try {
            return strike();
        } finally {
            Leftovers.clear(plan.directory());
        }
    }

    private Outcome strike() throws IOException, InterruptedException {
        Random random = new Random(plan.seed());
        try (Signals signals = new Signals();
                Journal journal = new Journal(plan.directory());
                Site site = Sites.open(plan);
                Clients clients = new Clients(
                        (index, run) -> settings(site, index, run),
                        builds,
                        signals,
                        journal,
                        Holder.open(plan.directory(), -1))) {
            clients.start();
            progress.println("    " + Clients.COUNT + " clients work");
            Scene scene = new Scene(clients, site, signals, journal, plan);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds());
            long calm = end - plan.calm().toNanos();
            long last = calm - plan.lastStrike().toNanos();
            if (plan.plant() != Plant.NONE) {
                endOnceFound(scene, calm);
            }
            List<Strike> strikes = plan.fault().strikes(plan.store());
            while (!strikes.isEmpty()) {
                long next = System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(random.nextInt(
                                plan.fault().leastMillis(), plan.fault().mostMillis()));
                if (next > last) {
                    break;
                }
                scene.await(next);
                if (scene.isOver()) {
                    break;
                }
                Strike strike = strikes.get(random.nextInt(strikes.size()));
                if (!plan.judgesRate() || scene.isQuietFor(RateReturns.QUIET)) {
                    strike.at(scene, random);
                }
            }
            scene.await(Math.max(calm, System.nanoTime()));
            scene.calm();
            scene.await(end);
            progress.println("    " + journal.strikes() + " faults; waiting for the clients to end");
            List<String> troubles = clients.finish();
            // What was entered before a clock was put back is kept by so much longer.
            if (!scene.isOver()
                    && plan.library().equals(Libraries.BELAY)
                    && !plan.fault().setsClock()) {
                new Aftermath(site, journal, plan.claimsEnd()).examine(History.read(plan.directory()));
            }
            return new Outcome(journal.strikes(), troubles);
        }
    }

    /** Judges once a lease, until then, what has happened so far; the end judges all of it once more. */
    private void endOnceFound(Scene scene, long until) {
        scene.after(1, () -> {
            History history = History.readUntil(System.nanoTime() - WRITTEN_NANOS, plan.directory());
            if (!Checks.all(history, plan.promises()).isEmpty()) {
                scene.end();
            } else if (System.nanoTime() < until) {
                endOnceFound(scene, until);
            }
        });
    }

    private Settings settings(Site site, int index, int run) {
        return new Settings(
                plan.directory(),
                index,
                run,
                site.url(index),
                plan.library(),
                plan.plant(),
                plan.workload(),
                plan.lease(),
                plan.seed() + 1000L * index + run);
    }
}
