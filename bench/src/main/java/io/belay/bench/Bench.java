package io.belay.bench;

import io.belay.bench.cases.Case;
import io.belay.bench.lead.Arena;
import io.belay.bench.lead.BenchException;
import io.belay.bench.lead.MissingCodeException;
import io.belay.bench.lead.Round;
import io.belay.bench.lead.Team;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Library;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.report.Format;
import io.belay.bench.report.Machine;
import io.belay.bench.report.Outcome;
import io.belay.bench.report.Result;
import io.belay.bench.store.StoreServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A runner of a plan: case by case, and in each case the libraries in turn, round by round. */
final class Bench {
    private final Plan plan;
    private final StoreServer server;
    private final Path directory;
    private final PrintStream progress;

    Bench(Plan plan, StoreServer server, Path directory, PrintStream progress) {
        this.plan = plan;
        this.server = server;
        this.directory = directory;
        this.progress = progress;
    }

    Outcome run() throws IOException, InterruptedException {
        Map<String, Object> machine = Machine.describe(plan.store(), server.version(), Javas.describe());
        // As they are now: who waits for the end may go on working in a checkout.
        plan.other().ifPresent(other -> {
            machine.put("thisBuild", Checkout.own().commit());
            machine.put("otherBuild", other.commit());
        });
        List<Result> results = new ArrayList<>();
        int number = 0;
        for (Case task : plan.cases()) {
            progress.println(
                    Format.of("[%d/%d] %s: %s", ++number, plan.cases().size(), task.name(), task.description()));
            results.addAll(run(task));
        }
        return new Outcome(plan.store(), machine, plan.rounds(), plan.time().toMillis() / 1e3, results);
    }

    private List<Result> run(Case task) throws IOException, InterruptedException {
        Optional<Path> java = Javas.of(task);
        List<Contestant> contestants = plan.of(task).stream()
                .map(library -> new Contestant(task, library))
                .toList();
        if (java.isEmpty()) {
            String note = "skipped, since it needs a JDK " + task.java() + " or later, and none was found";
            progress.println("    " + note);
            contestants.forEach(contestant -> contestant.note = note);
        } else {
            server.clear();
            compete(task, new Arena(server, directory, java.get(), plan.scale()), contestants);
        }
        return contestants.stream().map(Contestant::result).toList();
    }

    private void compete(Case task, Arena arena, List<Contestant> contestants)
            throws IOException, InterruptedException {
        int feature = Javas.feature(arena.java());
        List<Team> teams = new ArrayList<>();
        try {
            for (Contestant contestant : contestants) {
                Team team = new Team(task, plan.store(), contestant.library, arena, feature);
                teams.add(team);
                attempt(contestant, team, team::start);
            }
            for (int round = 0; round < plan.rounds(task); round++) {
                for (int i = 0; i < contestants.size(); i++) {
                    round(contestants.get(i), teams.get(i), round);
                }
            }
        } finally {
            teams.forEach(Team::close);
        }
    }

    private void round(Contestant contestant, Team team, int number) throws IOException, InterruptedException {
        if (contestant.note.isEmpty()) {
            Case task = contestant.task;
            attempt(contestant, team, () -> {
                Round round = team.round(plan.warmUp(task, number), task.time(plan.time()));
                contestant.rounds.add(round);
                progress.println(Format.of(
                        "    round %d/%d  %-20s %s",
                        number + 1, plan.rounds(task), contestant.library.name(), Progress.line(round)));
            });
        }
    }

    /**
     * Does a step of one library; if it fails, the report says so, and the other libraries go on. Of its processes that have not
     * failed none goes on beside them.
     */
    private void attempt(Contestant contestant, Team team, Step step) throws IOException, InterruptedException {
        try {
            step.run();
        } catch (BenchException e) {
            team.close();
            contestant.note = contestant.library instanceof OtherBuildLibrary && e instanceof MissingCodeException
                    ? "skipped, since the other build lacks what this uses: " + e.getMessage()
                    : "failed: " + e.getMessage();
            progress.println("    " + contestant.library.name() + " " + contestant.note);
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private static final class Contestant {
        private final Case task;
        private final Library library;
        private final List<Round> rounds = new ArrayList<>();
        private String note = "";

        Contestant(Case task, Library library) {
            this.task = task;
            this.library = library;
        }

        Result result() {
            return new Result(task, library, rounds, note);
        }
    }
}
