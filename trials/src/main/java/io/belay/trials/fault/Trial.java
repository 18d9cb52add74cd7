package io.belay.trials.fault;

import io.belay.trials.client.Holder;
import io.belay.trials.client.Settings;
import io.belay.trials.history.History;
import io.belay.trials.library.Libraries;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A run of a plan: starts the store and the clients, lets things go wrong, ends, and leaves the histories behind. */
public final class Trial {
    private final Plan plan;
    private final PrintStream progress;

    /** Creates a trial of this plan, which tells how far it is. */
    public Trial(Plan plan, PrintStream progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** The number of faults, and what went wrong besides. */
    public record Outcome(int strikes, List<String> troubles) {}

    /** Runs the plan; blocks until it is over. */
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
                        signals,
                        journal,
                        Holder.open(plan.directory(), -1))) {
            clients.start();
            progress.println("    " + Clients.COUNT + " clients work");
            Scene scene = new Scene(clients, site, signals, journal, plan.lease());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds());
            long calm = end - plan.fault().calmLeases() * plan.lease().toNanos();
            List<Strike> strikes = plan.fault().strikes(plan.store());
            while (!strikes.isEmpty()) {
                long next = System.nanoTime()
                        + TimeUnit.MILLISECONDS.toNanos(random.nextInt(
                                plan.fault().leastMillis(), plan.fault().mostMillis()));
                if (next > calm) {
                    break;
                }
                scene.await(next);
                strikes.get(random.nextInt(strikes.size())).at(scene, random);
            }
            scene.await(Math.max(calm, System.nanoTime()));
            scene.calm();
            scene.await(end);
            progress.println("    " + journal.strikes() + " faults; waiting for the clients to end");
            List<String> troubles = clients.finish();
            // What was entered before a clock was put back is kept by so much longer.
            if (plan.library().equals(Libraries.BELAY) && !plan.fault().setsClock()) {
                new Aftermath(site, journal, plan.claimsEnd()).examine(History.read(plan.directory()));
            }
            return new Outcome(journal.strikes(), troubles);
        }
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
