package io.belay.trials.fault;

import io.belay.trials.fault.StrikeNetwork.Way;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What goes wrong in a trial. */
public enum Fault {
    NONE("nothing goes wrong", 0, 0),
    PAUSE("clients, mostly holders, are stopped for 0.5 to 5 leases", 300, 700, new PauseClient()),
    KILL("clients, mostly holders, are killed and started again", 900, 1500, new KillClient()),
    PARTITION(
            "a client is cut off from the servers: silently, by resets, or after late replies",
            400,
            1000,
            new StrikeNetwork(Way.SILENCE),
            new StrikeNetwork(Way.CUT),
            new StrikeNetwork(Way.DELAY)),
    REPLY_LOSS(
            "replies and pushes are lost, though what was asked for was done",
            50,
            300,
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.DROP_PUSHES)),
    SERVER("servers are killed and started again, or stopped", 1500, 3000, new KillServer(), new PauseServer()),
    FAILOVER(
            "the master is killed, a replica takes its place, and it comes back as a replica",
            4000,
            5000,
            new FailOver()),
    STARVE("for up to three leases others take the processors", 1500, 4000, new Starve()),
    MIX(
            "all that can be done to the store, one after the other",
            300,
            900,
            new PauseClient(),
            new PauseClient(),
            new KillClient(),
            new Starve(),
            new KillServer(),
            new PauseServer(),
            new StrikeNetwork(Way.SILENCE),
            new StrikeNetwork(Way.CUT),
            new StrikeNetwork(Way.DELAY),
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.DROP_PUSHES));

    private final String description;
    private final int leastMillis;
    private final int mostMillis;
    private final List<Strike> strikes;

    Fault(String description, int leastMillis, int mostMillis, Strike... strikes) {
        this.description = description;
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
        this.strikes = List.of(strikes);
    }

    /** The name on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it does. */
    public String description() {
        return description;
    }

    /** The fault of this name on the command line. */
    public static Optional<Fault> of(String title) {
        return Arrays.stream(values()).filter(one -> one.title().equals(title)).findFirst();
    }

    /** The faults by their names on the command line. */
    public static List<String> titles() {
        return Arrays.stream(values()).map(Fault::title).toList();
    }

    int leastMillis() {
        return leastMillis;
    }

    int mostMillis() {
        return mostMillis;
    }

    /** Whether something of it can be done to this store. */
    public boolean fits(String store) {
        return this == NONE || !strikes(store).isEmpty();
    }

    /** What of it can be done to this store. */
    List<Strike> strikes(String store) {
        return strikes.stream()
                .filter(strike -> Sites.targets(store).contains(strike.target()))
                .toList();
    }
}
