package io.belay.internal;

import io.belay.internal.claim.UncuredClaims;
import io.belay.internal.gate.UncuredGates;
import io.belay.internal.machine.UncuredMachines;
import io.belay.internal.primitive.UncuredLocks;
import io.belay.internal.time.UncuredTime;
import io.belay.node.UncuredNodes;
import io.belay.recipes.UncuredRecipes;
import io.belay.simulation.Switch;
import io.belay.spi.UncuredLaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Faults that the engine or a store once had: each comes back where its cure is switched off. */
public enum PlantedFault {
    /** An {@code Error} ends the timers' thread, and with it renewals and notices of losses. */
    ERROR_ENDS_TIMERS(UncuredTime::errorEndsTimers),
    /** An {@code Error} in what follows a step keeps all that comes later from being done. */
    ERROR_STOPS_OUTBOX(UncuredTime::errorStopsOutbox),
    /** Listeners run on the engine's own threads. */
    LISTENERS_HOLD_UP_TIMERS("LISTENERS USER_BLOCKS MAX_HOLD", UncuredTime::listenersHoldUpTimers),
    /** Where no thread can be started a notice is dropped. */
    NO_THREAD_DROPS_NOTICE(UncuredTime::noThreadDropsNotice),
    /** An answer that changes nothing that can be seen is no occasion to hand the lock on. */
    NEWS_OF_NOTHING_IS_NOT_TOLD("WALL_STEPS", UncuredMachines::newsOfNothingIsNotTold),
    /** No answer brings the end of a lease nearer, also after a suspension. */
    SUSPENSION_IS_FORGOTTEN("SUSPENSIONS FIXED_LEASES", UncuredMachines::suspensionIsForgotten),
    /** A renewal that too few replicas have makes an unsure lease sure. */
    UNCONFIRMED_MAKES_SURE("NETWORK SUSPENSIONS REPLICAS NOTHING_ELSE", UncuredMachines::unconfirmedMakesSure),
    /** Views take an unsure lease for a lost one. */
    UNSURE_IS_LOST(UncuredGates::unsureIsLost),
    /** Readers who wait are let in when the client is closed. */
    CLOSE_LETS_READERS_IN(() -> both(UncuredMachines.closeLetsReadersIn(), UncuredClaims.closingIsOpen())),
    /** What is held when the client is closed counts as released. */
    CLOSE_IS_SILENT(UncuredMachines::closeIsSilent),
    /** Whoever listens to a read inside a write is forgotten when the write ends first. */
    LISTENER_IS_DROPPED("LISTENERS EVICTIONS NETWORK MAX_HOLD NOTHING_ELSE", UncuredGates::listenerIsDropped),
    /** A release of which the store says nothing counts as a loss. */
    UNKNOWN_IS_LOST(UncuredLocks::unknownIsLost),
    /** A listener that throws keeps those after it from being told. */
    LISTENERS_SHARE_FATE(UncuredGates::listenersShareFate),
    /** What the callback executor rejects is dropped. */
    REJECTED_IS_DROPPED(UncuredTime::rejectedIsDropped),
    /** A push about a claim that is over is an error of whoever brings it. */
    LATE_PUSH_IS_THROWN(UncuredClaims::latePushIsThrown),
    /** One renewal that fails fails all that were sent with it. */
    RENEWALS_SHARE_FATE(
            "BAD_RENEWALS STOPS SLOW_TIMERS NETWORK FIXED_LEASES STRICT_ORDER MULTI_LOCKS CROWDS NOTHING_ELSE",
            UncuredClaims::renewalsShareFate),
    /** A reader's try is refused beside readers who have not got the lock yet. */
    READERS_TRY_IS_REFUSED("READ_WRITE TRIES", UncuredMachines::readersTryIsRefused),
    /** Who is interrupted returns before its claim has left the queue. */
    INTERRUPTED_IS_STILL_QUEUED("INTERRUPTS", UncuredGates::interruptedIsStillQueued),
    /** A newcomer is served before the first of the queue, also without barging. */
    NEWCOMER_COMES_FIRST("NO_BARGING", UncuredMachines::newcomerComesFirst),
    /** Callers in strict order share a claim, as others do. */
    STRICT_ORDER_IS_FORGOTTEN("STRICT_ORDER", UncuredLocks::strictOrderIsForgotten),
    /** What is to stay taken for a while is free at once. */
    AT_LEAST_IS_FORGOTTEN("AT_LEAST", UncuredMachines::atLeastIsForgotten),
    /** Permits that are to stay taken for a while are free at once; locks are not. */
    KEPT_PERMITS_ARE_FREED("SEMAPHORES AT_LEAST", UncuredMachines::keptPermitsAreFreed),
    /** Listeners are told of a loss a second after it. */
    LOSS_IS_TOLD_LATE("LISTENERS FIXED_LEASES", UncuredGates::lossIsToldLate),
    /** Listeners are told of a loss once the store answers. */
    LOSS_IS_TOLD_BY_THE_STORE("LISTENERS FIXED_LEASES LATE_MESSAGES", UncuredGates::lossIsToldByTheStore),
    /** Who waits and keeps an interrupt for later forgets it. */
    INTERRUPT_IS_LOST("INTERRUPTS VIEWS", UncuredGates::interruptIsLost),
    /** Whose wait an interrupt is to end waits on. */
    INTERRUPT_ENDS_NO_WAIT("INTERRUPTS", UncuredGates::interruptEndsNoWait),
    /** A future that is cancelled leaves its claim in the queue. */
    CANCELLED_IS_STILL_QUEUED("CANCELS ASYNC", UncuredGates::cancelledIsStillQueued),
    /** Who waits for a limited time gives up after half of it. */
    HALF_THE_TIME_IS_WAITED("TIMED_WAITS", UncuredGates::halfTheTimeIsWaited),
    /** A wait is called slow only after eight times the time. */
    SLOW_WAIT_IS_TOLD_LATE("REPORTS", UncuredGates::slowWaitIsToldLate),
    /** A client does not say who waits. */
    WAITS_ARE_NOT_LISTED("LOOKS", UncuredGates::waitsAreNotListed),
    /** What was given back is not counted. */
    RELEASE_IS_NOT_COUNTED("LOOKS", UncuredGates::releaseIsNotCounted),
    /** Who listens to all losses of a client hears of none. */
    LOSS_IS_NOT_REPORTED("REPORTS MAX_HOLD", UncuredClaims::lossIsNotReported),
    /** A client that is closed with a time for its holders gives them none. */
    DRAIN_WAITS_FOR_NOBODY("DRAINS CLOSES", UncuredClaims::drainWaitsForNobody),
    /** A client that is paused with a time for its holders gives them none. */
    PAUSE_WAITS_FOR_NOBODY("PAUSES", UncuredClaims::pauseWaitsForNobody),
    /** A client that is paused or closed stays connected. */
    CONNECTION_STAYS_OPEN("PAUSES CLOSES", UncuredClaims::connectionStaysOpen),
    /** A hold that becomes long while a client waits for holders is not told. */
    DRAIN_TELLS_NO_LONG_HOLD("REPORTS CLOSES DRAINS PAUSES VIEWS", UncuredGates::drainTellsNoLongHold),
    /** An action may be run again before its period is over. */
    ONCE_FREES_ITS_NAME("ONCES", UncuredLocks::onceFreesItsName),
    /** Those who count a latch down do not wait for each other. */
    COUNTS_TAKE_NO_TURNS("LATCHES NOTHING_ELSE", UncuredLocks::countsTakeNoTurns),
    /** Several locks count as held while one of them is. */
    ONE_LOSS_LEAVES_SEVERAL_HELD("MULTI_LOCKS EVICTIONS", UncuredRecipes::oneLossLeavesSeveralHeld),
    /** A suspension brings the end of a node no nearer. */
    NODES_END_BY_ONE_CLOCK("NODES SUSPENSIONS", UncuredNodes::nodesEndByOneClock),
    /** The gate of one acquisition stays known when that is over. */
    ACQUISITION_IS_NOT_FORGOTTEN("STRICT_ORDER", UncuredGates::acquisitionIsNotForgotten),
    /** A lease says that it is held again when it was given back a while ago. */
    RELEASED_IS_HELD(UncuredGates::releasedIsHeld),
    /** A client that is closed leaves nothing: its claims end with their leases. */
    CLOSE_LEAVES_NOTHING("CLOSES", UncuredMachines::closeLeavesNothing),
    /** Who has what was taken away by force goes on until its lease is over. */
    FORCE_IS_NOT_HEARD("EVICTIONS NETWORK NOTHING_ELSE", UncuredMachines::forceIsNotHeard),
    /** A renewal has a claim last for four times its lease. */
    RENEWED_FOR_TOO_LONG("DEATHS", UncuredMachines::renewedForTooLong),
    /** A renewal does not lengthen the lease of who holds. */
    RENEWED_FOR_NO_TIME(UncuredMachines::renewedForNoTime),
    /** What is to stay taken is so only once it is given back. */
    TAKEN_ONCE_RELEASED("NETWORK AT_LEAST DEATHS NOTHING_ELSE", UncuredMachines::takenOnceReleased),
    /** A later end is believed before the store has answered. */
    LATER_END_IS_BELIEVED("MOVED_ENDS MAX_HOLD OUTAGES NOTHING_ELSE", UncuredMachines::laterEndIsBelieved),
    /** The only reader is not made a writer. */
    UPGRADE_IS_REFUSED("READ_WRITE UPGRADES", UncuredMachines::upgradeIsRefused),
    /** Who has several locks is told of the loss of the first one alone. */
    LOSS_OF_OTHERS_IS_NOT_TOLD("MULTI_LOCKS LISTENERS FIXED_LEASES MAX_HOLD", UncuredRecipes::lossOfOthersIsNotTold),
    /** Where the store says nothing others are said to have the lock. */
    SILENCE_IS_EMPTY("OUTAGES", UncuredMachines::silenceIsEmpty),
    /** Who waits for as long as it takes is told of an outage, and waits no longer. */
    OUTAGE_ENDS_ALL_WAITS("OUTAGES", UncuredMachines::outageEndsAllWaits),
    /** Who waits for a limited time is told of an outage before that is over. */
    SILENCE_IS_TOLD_EARLY("OUTAGES TIMED_WAITS", UncuredMachines::silenceIsToldEarly),
    /** One release in twenty finds that what it gives back was lost before. */
    LEAVE_FINDS_NOTHING(UncuredMachines::leaveFindsNothing),
    /** One release in twenty is told that nobody knows what came of it, though the store has answered. */
    LEAVE_IS_NOT_ANSWERED(UncuredMachines::leaveIsNotAnswered),
    /** Permits are refused to whoever does not wait for them. */
    PERMITS_ARE_REFUSED("SEMAPHORES TRIES", UncuredLaw::permitsAreRefused),
    /** What shows who has a lock ends the claim. */
    DESCRIBE_ENDS(UncuredLaw::describeEnds);

    /** Among circumstances: nothing goes wrong but what they name. */
    public static final String NOTHING_ELSE = "NOTHING_ELSE";

    private final List<String> circumstances;
    private final Supplier<List<Switch>> switches;

    PlantedFault(Supplier<List<Switch>> switches) {
        this("", switches);
    }

    PlantedFault(String circumstances, Supplier<List<Switch>> switches) {
        this.circumstances = circumstances.isEmpty() ? List.of() : List.of(circumstances.split(" "));
        this.switches = switches;
    }

    /**
     * What a world has to have for the fault to show: names of what goes wrong there, of what is made use of, and of the
     * kind of store.
     */
    public static List<String> circumstances(String name) {
        return isOurs(name)
                ? valueOf(name).circumstances
                : switch (name) {
                    case "SEQUENCE_NEED_NOT_MATCH" ->
                        List.of("NETWORK", "DOUBLED_MESSAGES", "LATE_MESSAGES", NOTHING_ELSE);
                    case "LAST_MESSAGE_WINS" -> List.of("OVERTAKING", "LATE_MESSAGES", "NETWORK", NOTHING_ELSE);
                    case "PUSH_OF_ANY_SERVER_COUNTS" ->
                        List.of("NETWORK", "FAILOVERS", "LATE_MESSAGES", "OVERTAKING", NOTHING_ELSE);
                    case "LAST_FIX_COUNTS" -> List.of("MOVED_ENDS");
                    case "EARLIER_END_IS_BELIEVED_ONCE_ANSWERED" -> List.of("MOVED_ENDS", "LATE_MESSAGES");
                    case "OLDER_ANSWER_MOVES_THE_END" ->
                        List.of("NETWORK", "MOVED_ENDS", "FIXED_LEASES", "OVERTAKING", "LATE_MESSAGES", NOTHING_ELSE);
                    case "ROOM_IS_NOT_TOLD" -> List.of("NETWORK", "SEMAPHORES", NOTHING_ELSE);
                    case "KEEPER_IS_NOT_TOLD" -> List.of("NETWORK", "STICKY", "DRIFT", NOTHING_ELSE);
                    default -> List.of();
                };
    }

    /** The names of all faults that can be planted: these here, and the protocol without one of its rules. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (PlantedFault fault : values()) {
            names.add(fault.name());
        }
        names.addAll(UncuredMachines.ruleNames());
        return names;
    }

    /**
     * What is to be switched for a fault.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static List<Switch> switches(String name) {
        if (!names().contains(name)) {
            throw new IllegalArgumentException("no fault is called " + name + "; there are " + names());
        }
        if (isOurs(name)) {
            return valueOf(name).switches.get();
        }
        List<Switch> switches = new ArrayList<>(UncuredMachines.rules());
        if (name.equals("PUSH_OF_ANY_SERVER_COUNTS")) { // a clock that jumps betrays most other servers
            switches.addAll(UncuredMachines.clockNeverJumps());
        }
        return switches;
    }

    /** Plants a fault where its methods are switched. */
    public static void plant(String name) {
        if (!isOurs(name)) {
            UncuredMachines.breakRule(name);
        }
    }

    private static List<Switch> both(List<Switch> some, List<Switch> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static boolean isOurs(String name) {
        return Arrays.stream(values()).anyMatch(fault -> fault.name().equals(name));
    }
}
