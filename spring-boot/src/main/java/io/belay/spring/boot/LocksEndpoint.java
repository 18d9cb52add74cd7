package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.OwnWait;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/** The endpoint {@code locks}: what this instance holds and waits for, and a look at any lock. */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public final class LocksEndpoint {
    /** The most names that one call lists. */
    private static final int MOST_NAMES = 1_000;

    private final Belay belay;

    LocksEndpoint(Belay belay) {
        this.belay = belay;
    }

    /**
     * The locks of this instance, and perhaps names of all.
     *
     * @param holds what it holds
     * @param waits what it waits for
     * @param names the names that begin with the prefix that was asked for; null if none was
     * @param more whether there are more names than these; null as well
     */
    public record Locks(
            List<OwnHold> holds,
            List<OwnWait> waits,
            @Nullable List<String> names,
            @Nullable Boolean more) {}

    /**
     * Lists what this instance holds and waits for, without asking the store.
     *
     * @param prefix if given, names that begin with it are listed, too, and for that the store is asked
     */
    @ReadOperation
    public Locks locks(@Nullable String prefix) {
        if (prefix == null) {
            return new Locks(belay.admin().holds(), belay.admin().waits(), null, null);
        }
        List<String> names = belay.admin().names(prefix).limit(MOST_NAMES + 1).toList();
        return new Locks(
                belay.admin().holds(),
                belay.admin().waits(),
                names.stream().limit(MOST_NAMES).sorted().toList(),
                names.size() > MOST_NAMES);
    }

    /** Tells who holds a lock and who waits for it. */
    @ReadOperation
    public Inspection lock(@Selector(match = Match.ALL_REMAINING) String... name) {
        return belay.admin().inspect(String.join("/", name));
    }

    /**
     * Takes a lock away from whoever holds it. Its holder is told, and by whom.
     *
     * @param taken whether anybody had it
     */
    public record Taken(boolean taken) {}

    /** Takes a lock away from whoever holds it; needs unrestricted access. */
    @DeleteOperation
    public Taken release(@Selector(match = Match.ALL_REMAINING) String... name) {
        return new Taken(belay.onBehalfOf("actuator").admin().forceRelease(String.join("/", name)));
    }
}
