package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.LockMode;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.StoreUnavailableException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.UrlPasswords;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** The endpoint {@code locks}: what this instance holds and waits for, and a look at any lock. */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({
    LocksEndpoint.Locks.class,
    LocksEndpoint.Claims.class,
    LocksEndpoint.Taken.class,
    LocksEndpoint.Failure.class // no method's type tells of them
})
public final class LocksEndpoint {
    /** The most names that one call lists. */
    private static final int MOST_NAMES = 1_000;

    /** The log that tells who has taken which lock away, as the page of {@link DashboardEndpoint} does. */
    private static final Log AUDIT = Log.of(LogName.LEASE);

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
     * @param lock the lock whose name was asked for; null if none was
     * @param failure why the store told none of that; null if it did, or was not asked
     */
    public record Locks(
            List<Hold> holds,
            List<Wait> waits,
            @Nullable List<String> names,
            @Nullable Boolean more,
            @Nullable Claims lock,
            @Nullable String failure) {}

    /** A lease of this instance; the parts are those of {@link OwnHold}. */
    public record Hold(
            String name,
            LockMode mode,
            int permits,
            long token,
            String thread,
            String behalf,
            Duration held,
            Duration remaining) {
        static Hold of(OwnHold of) {
            return new Hold(
                    of.name(),
                    of.mode(),
                    of.permits(),
                    of.token(),
                    of.thread(),
                    of.behalf(),
                    of.held(),
                    of.remaining());
        }
    }

    /** A wait of this instance; the parts are those of {@link OwnWait}. */
    public record Wait(String name, LockMode mode, int permits, String thread, String behalf, Duration waited) {
        static Wait of(OwnWait of) {
            return new Wait(of.name(), of.mode(), of.permits(), of.thread(), of.behalf(), of.waited());
        }
    }

    /**
     * The holders of a lock and those who wait for it.
     *
     * @param name the lock's full name
     * @param claims the claims in their order, holders first
     */
    public record Claims(String name, List<Claim> claims) {}

    /** A client's place in the queue; the parts are those of {@link Inspection.Claim}. */
    public record Claim(
            String client,
            String host,
            long process,
            String thread,
            String behalf,
            int place,
            long token,
            LockMode mode,
            int permits,
            Duration age,
            Optional<Duration> held,
            Optional<Duration> heard,
            Duration remaining,
            int localWaiters,
            boolean own) {
        static Claim of(Inspection.Claim of) {
            return new Claim(
                    of.client(),
                    of.host(),
                    of.process(),
                    of.thread(),
                    of.behalf(),
                    of.place(),
                    of.token(),
                    of.mode(),
                    of.permits(),
                    of.age(),
                    of.held(),
                    of.heard(),
                    of.remaining(),
                    of.localWaiters(),
                    of.own());
        }
    }

    /**
     * Lists what this instance holds and waits for, without asking the store.
     *
     * @param prefix if given, names that begin with it are listed, too, and for that the store is asked
     * @param name if given, the lock of that name is told of, too, whatever slashes it has
     * @return {@link Locks}, or a response with those that says why the store told no more
     */
    @ReadOperation
    public Object locks(@Nullable String prefix, @Nullable String name) {
        List<Hold> holds = belay.admin().holds().stream().map(Hold::of).toList();
        List<Wait> waits = belay.admin().waits().stream().map(Wait::of).toList();
        return answer(
                "", () -> listed(holds, waits, prefix, name), why -> new Locks(holds, waits, null, null, null, why));
    }

    private Locks listed(List<Hold> holds, List<Wait> waits, @Nullable String prefix, @Nullable String name) {
        Claims lock = name == null ? null : claims(name);
        if (prefix == null) {
            return new Locks(holds, waits, null, null, lock, null);
        }
        List<String> names = belay.admin().names(prefix).limit(MOST_NAMES + 1).toList();
        List<String> first = names.stream().limit(MOST_NAMES).sorted().toList();
        return new Locks(holds, waits, first, names.size() > MOST_NAMES, lock, null);
    }

    /**
     * Tells who holds a lock and who waits for it; of its name's parts between slashes none is empty.
     *
     * @return {@link Claims}, or the response that says why there are none
     */
    @ReadOperation
    public Object lock(@Selector(match = Match.ALL_REMAINING) String... name) {
        return answer("", () -> claims(String.join("/", name)), Failure::new);
    }

    private Claims claims(String name) {
        Inspection seen = belay.admin().inspect(name);
        return new Claims(seen.name(), seen.claims().stream().map(Claim::of).toList());
    }

    /**
     * Takes a lock away from whoever holds it. Its holder is told, and by whom.
     *
     * @param taken whether anybody had it
     */
    public record Taken(boolean taken) {}

    /**
     * Takes a lock away from whoever holds it; of its name's parts between slashes none is empty. Needs unrestricted access.
     *
     * @return {@link Taken}, or the response that says why there is none
     */
    @DeleteOperation
    public Object release(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String... name) {
        return releaseNamed(security, String.join("/", name));
    }

    /**
     * Takes a lock away from whoever holds it, whatever slashes its name has; needs unrestricted access.
     *
     * @return {@link Taken}, or the response that says why there is none
     */
    @DeleteOperation
    public Object releaseNamed(SecurityContext security, String name) {
        return answer("It may have been taken away, look again: ", () -> take(who(security), name), Failure::new);
    }

    private Taken take(String who, String name) {
        AUDIT.info("{} is about to take the lock '{}' away", who, name); // before, as the store may not say that it did
        try {
            boolean taken = belay.onBehalfOf(who).admin().forceRelease(name);
            AUDIT.info(
                    taken ? "{} took the lock '{}' away" : "{} took nothing away: nobody had the lock '{}'", who, name);
            return new Taken(taken);
        } catch (StoreUnavailableException e) {
            AUDIT.info("{} may have taken the lock '{}' away: the store did not say so in time", who, name);
            throw e;
        }
    }

    /** Why there is no answer. */
    public record Failure(String failure) {}

    /** Returns an answer, or why there is none: of what is thrown Spring Boot tells the status 500 alone. */
    private static Object answer(String unsure, Supplier<?> ask, Function<String, ?> failed) {
        String why;
        int status = WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
        try {
            return ask.get();
        } catch (IllegalArgumentException e) { // no name of a lock
            why = String.valueOf(e.getMessage());
            status = WebEndpointResponse.STATUS_BAD_REQUEST;
        } catch (StoreUnavailableException e) {
            why = unsure + e.getMessage();
        } catch (BelayException e) {
            why = String.valueOf(e.getMessage());
        }
        return new WebEndpointResponse<>(failed.apply(UrlPasswords.mask(why)), status);
    }

    /** Returns who asks, for the holder and the log. */
    static String who(SecurityContext security) {
        Principal principal = security.getPrincipal();
        return principal == null ? "the actuator" : principal.getName() + " at the actuator";
    }
}
