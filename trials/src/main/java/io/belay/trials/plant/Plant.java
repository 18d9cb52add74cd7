package io.belay.trials.plant;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A bug that can be planted, and where it shows. */
public enum Plant {
    NONE("no bug", ""),
    DEADLINE_IGNORED("says held for ever, whatever became of the lease", "--fault pause"),
    LOSS_UNTOLD("never tells of a loss", "--fault pause"),
    STRANGER_RELEASE("releases whoever holds, by name, after its own release", "--fault none --workload mutex"),
    TOKEN_RESET("counts tokens from 1 in each process", "--fault none"),
    STALE_PUSH("takes an old push for its own grant", "--fault none --workload mutex"),
    PUSHES_DROPPED("hears no push of the store's", "--fault none --workload mutex"),
    GIVES_UP("never asks a store again that failed for two and a half leases", "--fault outage"),
    LEAVE_FORGOTTEN(
            "does not leave what was given up before a client's first enter was answered",
            "--store etcd --fault none --workload fresh"),
    LEAVE_UNCLEAR("leaves each claim as if its enter might still be on its way", "--fault none --workload storm"),
    STICKY_DEAF("does not hear that others want a sticky lock", "--fault none --workload sticky"),
    LATE_COPY(
            "ends a client's next claim by the late copy of a leave",
            "--store etcd --fault follower --workload counter"),
    NEW_MASTER(
            "takes the first answer of a lock's new master for a grant",
            "--store cluster --fault slot-move --workload mutex"),
    ORPHAN(
            "goes on with an enter that was never answered, as if it had been granted",
            "--fault reply-loss --workload order"),
    RECHECK_SKIPPED("believes for a while that a lock is held because it was", "--fault pause"),
    ORDER_BROKEN("gives a lock to whichever of its threads asked last", "--fault none --workload order"),
    KEPT_FOR_EVER("keeps the records of locks that nobody uses any more", "--fault none --workload churn"),
    KEPT_FREED("frees a lock that is to stay taken, right after its release", "--fault none --workload jobs"),
    EXTENDED_UNTOLD("believes in an end that was moved, and tells no store of it", "--fault none --workload jobs"),
    GUARD_AT_WRITE("a guard that only compares the token when it writes", "--fault pause --workload guarded");

    private final String description;
    private final String where;

    Plant(String description, String where) {
        this.description = description;
        this.where = where;
    }

    /** The name on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what the bug does. */
    public String description() {
        return description;
    }

    /** Returns the options with which the bug shows. */
    public String where() {
        return where;
    }

    /** The bug of this name on the command line. */
    public static Optional<Plant> of(String title) {
        return Arrays.stream(values()).filter(one -> one.title().equals(title)).findFirst();
    }
}
