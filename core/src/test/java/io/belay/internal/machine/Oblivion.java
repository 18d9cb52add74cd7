package io.belay.internal.machine;

import java.lang.reflect.Field;

/**
 * Forgets of a client's machines what no decision of theirs depends on any more, so that states that behave alike are equal: it
 * would be overwritten before it is read.
 */
final class Oblivion {
    private static final Field DUE_UNTIL = field(InFlight.class, "dueUntil");
    private static final Field ACQUIRED = field(Caller.class, "acquired");
    private static final Field LATEST_END = field(Stay.class, "latestEnd");
    private static final Field SINCE_REQUEST = field(Stay.class, "sinceRequest");
    private static final Field ASKED_OF = field(Changes.class, "askedOf");
    private static final Field LEARNED = field(Changes.class, "learned");
    private static final Field IS_USED = field(Turn.class, "isUsed");

    private Oblivion() {}

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    static void forget(SimClient client) {
        try {
            for (SimShell shell : client.shells) {
                for (Stay stay : shell.stays) {
                    forget(stay);
                }
                for (Turn turn : shell.machine.turns) {
                    forget(turn, shell.machine.terms);
                }
                Keeping keeping = shell.machine.keeping;
                boolean sticky = shell.machine.terms.idle > 0;
                if (keeping != null && !sticky && !keeping.isTryExpected() && !keeping.isRepeated) {
                    shell.machine.keeping = null; // it keeps nothing, and expects nothing
                }
            }
            for (SimCaller caller : client.callers) {
                boolean counts = caller.keptUntil != Caller.NEVER || client.role.terms().barging;
                if (caller.stay() != null && !counts) {
                    ACQUIRED.setLong(caller, 0);
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void forget(Stay stay) throws IllegalAccessException {
        if (!stay.inFlight.underWay) {
            stay.inFlight.resendAt = 0;
            DUE_UNTIL.setLong(stay.inFlight, 0);
        }
        if (stay.changing != null && !stay.changing.weightIsPending) {
            ASKED_OF.setLong(stay.changing, 0);
        }
        if (LATEST_END.getLong(stay) - stay.since < 0) {
            LATEST_END.setLong(stay, stay.since);
        }
    }

    /** What a turn counts begins anew with each grant. */
    private static void forget(Turn turn, Terms terms) throws IllegalAccessException {
        Stay stay = turn.stay;
        boolean held = stay != null && stay.phase == Phase.HELD;
        if (!held || (terms.slice == 0 && terms.idle == 0)) {
            turn.usedUntil = 0;
        }
        if (!held) {
            IS_USED.setBoolean(turn, false);
        }
    }

    /** Returns whether the numbers of a claim's requests may be made smaller when none of them is in flight. */
    static boolean countsHigh(Stay stay) {
        return stay.inFlight.number > 2;
    }

    /** Makes them as small as they can be: later ones are higher all the same. */
    static void countAnew(Stay stay) {
        stay.inFlight.number = 2;
        try {
            SINCE_REQUEST.setInt(stay, 2);
            if (stay.changing != null) {
                LEARNED.setInt(stay.changing, 0);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
