package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client in the search: its machines, as production makes them, and what is around them there (the gate, the engine), as far as
 * a decision depends on it. What it knows is plain fields, so that {@link Graph} can copy and compare it.
 */
final class SimClient implements ClientContext {
    private static final Capabilities CAPABILITIES =
            Capabilities.none().withExpiry(true).withLeasePerClaim(true);

    /** Whether the client runs. */
    enum Life {
        RUNS,
        STOPPED,
        DEAD
    }

    private static final Owner NOBODY = Owner.of("", "", 0, "");
    /** While pushes are lost, waiters ask so often, in nanoseconds. */
    private static final long POLL = 666_666_666;

    /**
     * A claim that the store keeps, under the sequence that it had when it was left: with that weight at most, and until that time at
     * least, as its caller was told.
     */
    record Kept(ClaimId id, long sequence, int weight, long until) {}

    final int number;
    final SimRole role;
    /** Whether it makes anything of a push that does not come: where all may be late that is no wonder. */
    final boolean isPrompt;
    /** Whether nothing goes wrong. */
    final boolean isSafe;

    private final boolean readsWallClock;
    /** Its number among the clients of the search; not of those that are being changed. */
    int id;

    Life life = Life.RUNS;
    ClientState state = ClientState.OPEN;
    final List<SimShell> shells = new ArrayList<>();
    final List<SimCaller> callers = new ArrayList<>();
    final List<SimTicket> tickets = new ArrayList<>();
    /** How many of its callers have come, and how often things were done that are done so often at most. */
    int arrived;

    int fired;
    int extended;
    int weighed;
    boolean observed;
    private int claims;
    /** Whether it takes pushes not to get through. */
    boolean deaf;
    /** For how many ticks it was suspended, and how many of them it has made sure of. */
    int slept;

    int checked;
    final List<Kept> kept = new ArrayList<>();
    /** The claims that are to be kept no longer. */
    final List<ClaimId> keptNoLonger = new ArrayList<>(0);

    private int unclear;
    private int cleared;
    private final List<Stay> delayed = new ArrayList<>();

    /** What the present step calls for; null between steps. */
    @Nullable
    SimStep step;

    SimClient(int number, SimSetup setup, boolean readsWallClock) {
        this.number = number;
        role = setup.roles().get(number);
        isPrompt = setup.prompt();
        isSafe = isPrompt && setup.mishaps() == 0;
        this.readsWallClock = readsWallClock;
    }

    /** Returns what its nanoTime shows at a tick. */
    long nanos(int tick) {
        return (tick - slept) * SimWorld.NANOS;
    }

    /** Returns how far its wall clock is ahead of that, in milliseconds. */
    long wallOffset() {
        return readsWallClock ? slept * 1000L : 0;
    }

    boolean runs() {
        return life == Life.RUNS;
    }

    SimStep step() {
        SimStep present = step;
        if (present == null) {
            throw new IllegalStateException("no step is being taken");
        }
        return present;
    }

    // What happens to its machines.

    /** Takes a step of a machine, and those that follow at once. */
    void take(SimShell shell, Consumer<Machine> event) {
        takeOne(shell, event);
        while (cleared > 0) {
            cleared--;
            unclear--;
            if (unclear == 0) {
                List<Stay> freed = List.copyOf(delayed);
                delayed.clear();
                freed.forEach(stay -> takeOne(shellOf(stay), machine -> machine.sendDelayed(stay)));
            }
        }
        long now = step().now();
        callers.removeIf(caller -> caller.isDone(now));
        shells.removeIf(each -> each.isForgotten() && !isOfAKeeper(each, now));
    }

    /** Returns whether somebody has a machine yet by which it had the lock that is to stay taken. */
    private boolean isOfAKeeper(SimShell shell, long now) {
        return callers.stream().anyMatch(caller -> caller.mayKeepNoLonger(now) && shellOf(caller) == shell);
    }

    private void takeOne(@Nullable SimShell shell, Consumer<Machine> event) {
        if (shell != null) {
            if (step().mutant.looksAtEnds()) {
                shell.machine.begin(step().now(), wallOffset(), state);
            } else {
                beginBlindly(shell);
            }
            event.accept(shell.machine);
            shell.machine.settle();
            step().mutant.afterStep(shell.machine);
        }
    }

    /** Begins a step of a machine that does not notice that a lease has ended. */
    private void beginBlindly(SimShell shell) {
        for (Stay stay : shell.stays) {
            Known last = stay.known;
            stay.known = last == null ? null : last.withUntil(Long.MAX_VALUE / 2);
        }
        shell.machine.begin(step().now(), wallOffset(), state);
        for (Stay stay : shell.stays) {
            Known last = stay.known;
            Known before = step().before(stay);
            stay.known = last == null || before == null ? last : last.withUntil(before.until());
        }
    }

    /** Takes a step of all machines that have a claim. */
    void takeAll(Consumer<Machine> event) {
        for (SimShell shell : List.copyOf(shells)) {
            take(shell, event);
        }
    }

    /** Returns the machine to which callers come. */
    SimShell shell() {
        for (SimShell shell : shells) {
            if (!shell.isApart && !shell.isRetired) {
                return shell;
            }
        }
        return add(role.terms(), false);
    }

    SimShell add(Terms terms, boolean apart) {
        SimShell made = new SimShell(this, terms, apart);
        shells.add(made);
        return made;
    }

    @Nullable
    SimShell shellOf(Stay stay) {
        for (SimShell shell : shells) {
            if (shell.stays.contains(stay)) {
                return shell;
            }
        }
        return null;
    }

    @Nullable
    SimShell shellOf(Caller caller) {
        Turn turn = caller.turn;
        for (SimShell shell : shells) {
            if (turn != null && shell.machine == turn.machine) {
                return shell;
            }
        }
        return null;
    }

    Stream<Stay> stays() {
        return shells.stream().flatMap(shell -> shell.stays.stream());
    }

    boolean anyStay(Predicate<Stay> which) {
        for (SimShell shell : shells) {
            for (Stay stay : shell.stays) {
                if (which.test(stay)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a caller was told to take its turn and has not done so yet. */
    boolean isWaking() {
        for (SimCaller caller : callers) {
            if (caller.isPending() && caller.isToCome()) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    Stay find(ClaimId claim) {
        for (SimShell shell : shells) {
            for (Stay stay : shell.stays) {
                if (stay.id.equals(claim)) {
                    return stay;
                }
            }
        }
        return null;
    }

    // What its machines call for.

    void send(Request request, Sent sent) {
        step().send(new SimMessage.Asked(number, request, sent));
    }

    /** A claim that was kept has entered anew by a late copy of its enter: nobody wants that. */
    void leaveIfAnew(ClaimId claim, @Nullable Answer answer) {
        boolean anew =
                answer != null && kept.stream().anyMatch(k -> k.id().equals(claim) && answer.sequence() > k.sequence());
        if (anew) {
            send(Request.Leave.of(SimWorld.NAME, claim, false), SimStep.NOBODYS);
        }
    }

    /** Returns what it wants kept of a claim that was given back; null if nothing. */
    @Nullable
    Kept keeps(ClaimId claim) {
        return keptNoLonger.contains(claim) ? null : kept(claim);
    }

    boolean isKept(ClaimId claim) {
        return kept(claim) != null;
    }

    private @Nullable Kept kept(ClaimId claim) {
        return kept.stream().filter(k -> k.id().equals(claim)).findAny().orElse(null);
    }

    boolean delays(Stay stay) {
        if (unclear > 0) {
            delayed.add(stay);
        }
        return unclear > 0;
    }

    void forget(Stay stay) {
        delayed.remove(stay);
    }

    void unclear(boolean is) {
        if (is) {
            unclear++;
        } else {
            cleared++;
        }
    }

    // ClientContext.

    @Override
    public ClaimId nextClaimId() {
        return ClaimId.of(number, ++claims);
    }

    @Override
    public Owner owner(String thread, String behalf) {
        return NOBODY;
    }

    @Override
    public long requestTimeout() {
        return SimWorld.NANOS;
    }

    @Override
    public long patience() {
        return InFlight.SLOW;
    }

    @Override
    public long slice() {
        return 0;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public long askNoLaterThan(long wanted, long lastAsked, long lease) {
        long at = lastAsked + (lease == 0 ? POLL : lease / 3);
        return deaf && at - wanted < 0 ? at : wanted;
    }

    @Override
    public long renewTogether(long at, long lastAsked) {
        return at;
    }

    @Override
    public String lastFailure() {
        return "";
    }

    @Override
    public void missedAPush() {
        deaf = isPrompt;
    }

    @Override
    public void noteSilence() {
        // Only counted.
    }
}
