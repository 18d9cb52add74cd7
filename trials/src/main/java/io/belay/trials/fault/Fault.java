package io.belay.trials.fault;

import io.belay.trials.check.Check;
import io.belay.trials.check.Forgetting;
import io.belay.trials.check.Promises;
import io.belay.trials.check.ServedAgain;
import io.belay.trials.check.Unanswered;
import io.belay.trials.check.WorksAgain;
import io.belay.trials.fault.StrikeNetwork.Way;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of fault that a trial can go through. */
public enum Fault {
    NONE("nothing goes wrong", 0, 0),
    PAUSE("clients, mostly holders, are stopped for 0.5 to 5 leases", 300, 700, new PauseClient()),
    KILL("clients, mostly holders, are killed and started again", 900, 1500, new KillClient()),
    PARTITION(
            "a client is cut off from the servers: silently, by resets, after late replies, or one way",
            400,
            1000,
            new StrikeNetwork(Way.SILENCE),
            new StrikeNetwork(Way.CUT),
            new StrikeNetwork(Way.DELAY),
            new StrikeNetwork(Way.HOLD_REQUESTS),
            new StrikeNetwork(Way.HOLD_REPLIES),
            new StrikeNetwork(Way.LOSE_REQUESTS)),
    HALF_OPEN(
            "the servers' side of a client's connections ends, and the client hears nothing; new ones work",
            400,
            1500,
            new HalfOpen()),
    REPLY_LOSS(
            "replies and pushes are lost, though what was asked for was done, or it is done twice",
            50,
            300,
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.LOSE_REPLIES),
            new StrikeNetwork(Way.DROP_PUSHES),
            new StrikeNetwork(Way.DOUBLE)),
    SERVER(
            "servers, where there is a leader mostly that, are killed and started again, or stopped",
            1500,
            3000,
            new KillServer(),
            new PauseServer()),
    OUTAGE(
            "the whole store is killed or stopped for longer than a lease, and comes back with what is on its disk",
            700,
            1500,
            new Outage(Outage.Way.KILL),
            new Outage(Outage.Way.STOP)),
    ISOLATE(
            "a member, mostly the leader, is cut off from the others: it does not hear them, they do not hear it, or both",
            1500,
            4000,
            new IsolateServer()),
    FOLLOWER(
            "a member that is not the leader is stopped for longer than a lease, and goes on with what it was asked then",
            1500,
            3000,
            new PauseFollower()),
    SLOT_MOVE("the slot of a lock moves to another master, which stands still meanwhile", 500, 1500, new MoveSlot()),
    FAILOVER(
            "the master is killed, a replica that is behind takes its place, and it comes back as a replica",
            5000,
            7000,
            new FailOver()),
    PLANNED_FAILOVER(
            "a sentinel is asked for a fail-over of a healthy set, whose former master serves on for a while",
            3500,
            5000,
            new PlannedFailOver()),
    FULL(
            "the store answers reads and refuses writes, as on a full disk or quota, for up to two leases",
            1500,
            3000,
            new TakeRoom()),
    CLOCK("the server's clock jumps ahead and back, by seconds to two hours", 700, 2000, new JumpClock()),
    ROLLBACK(
            "the server is killed, and comes back with what was on its disk some time before",
            3500,
            4500,
            new RollBack()),
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
            new IsolateServer(),
            new StrikeNetwork(Way.SILENCE),
            new StrikeNetwork(Way.CUT),
            new HalfOpen(),
            new StrikeNetwork(Way.DELAY),
            new StrikeNetwork(Way.HOLD_REQUESTS),
            new StrikeNetwork(Way.HOLD_REPLIES),
            new StrikeNetwork(Way.LOSE_REQUESTS),
            new StrikeNetwork(Way.LOSE_REPLIES),
            new StrikeNetwork(Way.LOSE_REPLY),
            new StrikeNetwork(Way.DROP_PUSHES),
            new StrikeNetwork(Way.DOUBLE));

    /** The end of the name of a fail-over to a replica that had missed grants. */
    public static final String BEHIND = "-by-one-behind";

    /** The time that the next holder may take beyond the end of what it waits for. */
    static final Duration REACTION = Duration.ofMillis(500);
    /** The time for which the store keeps a grant for an owner that does not come for it. */
    private static final Duration PICK_UP = Duration.ofSeconds(2);

    private static final int CALM = 2;

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

    /** Returns what this fault does, in words. */
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

    /** Returns what Belay promises for locks of this lease while this fault happens to this store. */
    public Promises promises(String store, Duration lease) {
        return new Promises(
                lease,
                forgets(store) ? forgetting(store, lease) : null,
                switch (this) {
                    case NONE, KILL, PAUSE -> Sites.claimsEnd(store, lease).plus(REACTION);
                    case HALF_OPEN -> Sites.worksAgain(store, lease).plus(REACTION);
                    // The next one's grant may be one that its owner never hears of.
                    case REPLY_LOSS -> Sites.passesOver(store) ? PICK_UP.plus(REACTION) : null;
                    default -> null;
                },
                besides(store, lease));
    }

    private List<Check> besides(String store, Duration lease) {
        return switch (this) {
            case NONE -> List.of(new Unanswered());
            // On a quorum it is one member that nobody hears, and no client that hears nobody.
            case HALF_OPEN -> store.equals("quorum") ? List.of() : List.of(new Unanswered(), new WorksAgain());
            case OUTAGE -> List.of(new ServedAgain(lease));
            default -> List.of();
        };
    }

    /** Returns the names of the faults that can do something to this store. */
    public static List<String> titles(String store) {
        return Arrays.stream(values())
                .filter(one -> one.fits(store))
                .map(Fault::title)
                .toList();
    }

    /**
     * Returns whether the store forgets what it has granted, or the time until when. A leader of etcd's that stood
     * still ends leases that its successor keeps alive, in version 3.4.23 often (etcd#15247).
     */
    public boolean forgets(String store) {
        boolean stopsServers = strikes.stream().anyMatch(Strike::stopsServers);
        return isFailOver() || this == CLOCK || this == ROLLBACK || (store.equals("etcd") && stopsServers);
    }

    private static Forgetting forgetting(String store, Duration lease) {
        // A follower that is stopped may have been about to lead.
        List<String> strikes = store.equals("etcd")
                ? List.of("pause-", "stop-all")
                : List.of("kill-master", "planned-fail-over", "roll-back", "clock-");
        return new Forgetting(strikes, lease.plus(Sites.claimsEnd(store, lease)).plus(REACTION));
    }

    /** Returns whether a replica takes the master's place. */
    boolean isFailOver() {
        return this == FAILOVER || this == PLANNED_FAILOVER;
    }

    /** Returns whether a server's clock is to be set. */
    public boolean setsClock() {
        return strikes.stream().anyMatch(strike -> strike.target() == Strike.Target.CLOCK);
    }

    /** Returns for how many leases at the end nothing goes wrong, so that all can show that they recover. */
    int calmLeases() {
        return this == OUTAGE ? Outage.QUIET_LEASES : CALM;
    }

    int leastMillis() {
        return leastMillis;
    }

    int mostMillis() {
        return mostMillis;
    }

    /** Returns whether a strike of this fault can be done to this store. */
    public boolean fits(String store) {
        return this == NONE || !strikes(store).isEmpty();
    }

    /** Returns the strikes of this fault that can be done to this store. */
    List<Strike> strikes(String store) {
        return strikes.stream()
                .filter(strike -> Sites.targets(store).contains(strike.target()))
                .toList();
    }
}
