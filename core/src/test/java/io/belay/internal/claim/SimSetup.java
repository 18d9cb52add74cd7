package io.belay.internal.claim;

import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;
import java.util.List;

/**
 * What one search explores: who takes part and what may go wrong, each with a budget. Times are in ticks.
 *
 * @param name what it is called in the output
 * @param capacity the capacity of the resource
 * @param roles the clients
 * @param horizon the tick at which time stops
 * @param prompt whether time passes only when nothing is left to do or to deliver, so that delays can be judged; else
 *     everything may happen arbitrarily late
 * @param duplicates how many messages may be delivered twice
 * @param losses how many messages may be lost
 * @param crashes how many clients may stop for good
 * @param pauses how often a client may stop for a while
 * @param resizes how often the capacity may shrink by one
 * @param failovers how often another server may take over, its clock {@link #SHIFT} ticks ahead
 * @param most the search gives up beyond that many states
 */
record SimSetup(
        String name,
        int capacity,
        List<Role> roles,
        int horizon,
        boolean prompt,
        int duplicates,
        int losses,
        int crashes,
        int pauses,
        int resizes,
        int failovers,
        int most) {

    static final int SHIFT = 2;

    /** How a client goes about it. */
    enum Nature {
        /** It may give up at any moment. */
        FREE,
        /** It never gives up before it is granted a claim. */
        PATIENT,
        /** It keeps what it is granted until it learns that another wants it. */
        KEEPER,
        /** It crashes once its enter is sent. */
        DOOMED
    }

    /**
     * What a client does, at most.
     *
     * @param weight the weight of its claims
     * @param lease their lease
     * @param hold their fixed lease, or 0
     * @param ifFree whether it enters only if granted at once
     * @param nature how it goes about it
     * @param enters how many claims it enters
     * @param yields how often it yields
     * @param renews how often it renews; where time is prompt it renews whenever its timer says so
     * @param resends how often it sends an unanswered request again; where time is prompt as its timer says
     * @param reweights how often it changes its weight between 1 and {@code weight}
     * @param fixes how often it moves the end of its fixed lease
     * @param keeps whether it has the store keep what it gives back
     */
    record Role(
            int weight,
            int lease,
            int hold,
            boolean ifFree,
            Nature nature,
            int enters,
            int yields,
            int renews,
            int resends,
            int reweights,
            int fixes,
            boolean keeps) {

        /** Enters so often for the whole lock, with a lease of three ticks. */
        static Role locks(int enters) {
            return new Role(Resource.WHOLE, 3, 0, false, Nature.FREE, enters, 0, 0, 0, 0, 0, false);
        }

        /** What its claims ask for. */
        ClaimSpec spec(int capacity) {
            return new ClaimSpec(capacity, weight, lease * SimWorld.MICROS, hold * SimWorld.MICROS, ifFree, sticky());
        }

        Role weighing(int n) {
            return new Role(n, lease, hold, ifFree, nature, enters, yields, renews, resends, reweights, fixes, keeps);
        }

        Role leasing(int ticks) {
            return new Role(
                    weight, ticks, hold, ifFree, nature, enters, yields, renews, resends, reweights, fixes, keeps);
        }

        Role holding(int ticks) {
            return new Role(
                    weight, lease, ticks, ifFree, nature, enters, yields, renews, resends, reweights, fixes, keeps);
        }

        Role onlyIfFree() {
            return new Role(
                    weight, lease, hold, true, nature, enters, yields, renews, resends, reweights, fixes, keeps);
        }

        Role andWaits() {
            return new Role(
                    weight,
                    lease,
                    hold,
                    ifFree,
                    Nature.PATIENT,
                    enters,
                    yields,
                    renews,
                    resends,
                    reweights,
                    fixes,
                    keeps);
        }

        Role andDies() {
            return new Role(
                    weight,
                    lease,
                    hold,
                    ifFree,
                    Nature.DOOMED,
                    enters,
                    yields,
                    renews,
                    resends,
                    reweights,
                    fixes,
                    keeps);
        }

        Role andKeeps() {
            return new Role(
                    weight,
                    lease,
                    hold,
                    ifFree,
                    Nature.KEEPER,
                    enters,
                    yields,
                    renews,
                    resends,
                    reweights,
                    fixes,
                    keeps);
        }

        boolean sticky() {
            return nature == Nature.KEEPER;
        }

        Role yields(int n) {
            return new Role(weight, lease, hold, ifFree, nature, enters, n, renews, resends, reweights, fixes, keeps);
        }

        Role renews(int n) {
            return new Role(weight, lease, hold, ifFree, nature, enters, yields, n, resends, reweights, fixes, keeps);
        }

        Role resends(int n) {
            return new Role(weight, lease, hold, ifFree, nature, enters, yields, renews, n, reweights, fixes, keeps);
        }

        /** Moves the end of its fixed lease so often, to one tick and to four ticks from then. */
        Role fixes(int n) {
            return new Role(weight, lease, hold, ifFree, nature, enters, yields, renews, resends, reweights, n, keeps);
        }

        /** May have the store keep what it gives back for two ticks. */
        Role andLeavesItTaken() {
            return new Role(
                    weight, lease, hold, ifFree, nature, enters, yields, renews, resends, reweights, fixes, true);
        }

        Role reweights(int n) {
            return new Role(weight, lease, hold, ifFree, nature, enters, yields, renews, resends, n, fixes, keeps);
        }
    }

    /** A lock, nothing goes wrong, and everything may be late. */
    static SimSetup late(String name, Role... roles) {
        return new SimSetup(name, Resource.WHOLE, List.of(roles), 0, false, 0, 0, 0, 0, 0, 0, 4_000_000);
    }

    /** A lock whose clients and network are prompt. */
    static SimSetup prompt(String name, Role... roles) {
        return new SimSetup(name, Resource.WHOLE, List.of(roles), 0, true, 0, 0, 0, 0, 0, 0, 4_000_000);
    }

    SimSetup capacity(int n) {
        return new SimSetup(
                name, n, roles, horizon, prompt, duplicates, losses, crashes, pauses, resizes, failovers, most);
    }

    SimSetup until(int tick) {
        return new SimSetup(
                name, capacity, roles, tick, prompt, duplicates, losses, crashes, pauses, resizes, failovers, most);
    }

    SimSetup duplicates(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, n, losses, crashes, pauses, resizes, failovers, most);
    }

    SimSetup losses(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, n, crashes, pauses, resizes, failovers, most);
    }

    SimSetup crashes(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, losses, n, pauses, resizes, failovers, most);
    }

    SimSetup pauses(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, losses, crashes, n, resizes, failovers, most);
    }

    SimSetup resizes(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, losses, crashes, pauses, n, failovers, most);
    }

    SimSetup failovers(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, losses, crashes, pauses, resizes, n, most);
    }

    /** Semaphores have no order of tokens, and a claim whose weight goes up keeps its old one. */
    boolean hasTokens() {
        return capacity == Resource.WHOLE && roles.stream().allMatch(r -> r.reweights() < 2);
    }

    /** For how many ticks at most a claim may stand first in which nobody believes, while a live client waits. */
    int longestStandstill() {
        return (int) (Resource.PICK_UP / SimWorld.MICROS) + 1;
    }

    SimSetup most(int n) {
        return new SimSetup(
                name, capacity, roles, horizon, prompt, duplicates, losses, crashes, pauses, resizes, failovers, n);
    }
}
