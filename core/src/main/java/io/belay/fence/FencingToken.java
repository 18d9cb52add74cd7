package io.belay.fence;

import io.belay.Lease;
import io.belay.LockMode;
import io.belay.support.NameRules;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The part of a lease that a {@link Fence} compares: which lock, and the number that rises from holder to holder. Numbers of
 * one lock are compared and never computed with; those of different locks have nothing to do with each other. Immutable.
 */
public final class FencingToken {
    private final String lock;
    private final long value;

    private FencingToken(String lock, long value) {
        this.lock = lock;
        this.value = value;
    }

    /**
     * Returns the token of a lease, whether or not that is still held.
     *
     * @throws IllegalArgumentException if others may hold the lock at the same time, as readers do and holders of permits:
     *     their tokens say nothing of who may write
     */
    public static FencingToken of(Lease lease) {
        Objects.requireNonNull(lease, "lease");
        if (lease.mode() != LockMode.EXCLUSIVE) {
            throw new IllegalArgumentException("the lease of '" + lease.name() + "' is "
                    + (lease.mode() == LockMode.SHARED ? "a reader's" : "one of permits")
                    + ", beside which others hold theirs, so that no fence can tell who may write: fence a lock, or the"
                    + " write lock");
        }
        return of(lease.name(), lease.token());
    }

    /**
     * Returns the token of a lock that was told by others.
     *
     * @param lock its full name, see {@link Lease#name()}
     * @param value 1 or more, see {@link Lease#token()}
     * @throws IllegalArgumentException if the value is not positive, or no lock can have that name
     */
    public static FencingToken of(String lock, long value) {
        NameRules.check("the lock's name", "", Objects.requireNonNull(lock, "lock"));
        if (value <= 0) {
            throw new IllegalArgumentException("a token is positive, and not " + value);
        }
        return new FencingToken(lock, value);
    }

    /**
     * Returns the tokens of several leases, {@linkplain #inOrder in order}.
     *
     * @throws IllegalArgumentException if there are none, two of one lock, or one beside which others hold theirs
     */
    public static List<FencingToken> allOf(Collection<? extends Lease> leases) {
        Objects.requireNonNull(leases, "leases");
        return ordered(leases.stream().map(FencingToken::of));
    }

    /**
     * Returns tokens in the order of their locks' names, in which fences are raised, so that no two wait for each other.
     *
     * @throws IllegalArgumentException if there are none, or two of one lock
     */
    public static List<FencingToken> inOrder(Collection<FencingToken> tokens) {
        Objects.requireNonNull(tokens, "tokens");
        return ordered(tokens.stream());
    }

    private static List<FencingToken> ordered(Stream<FencingToken> tokens) {
        List<FencingToken> ordered = tokens.distinct()
                .sorted(Comparator.comparing(FencingToken::lock))
                .toList();
        if (ordered.isEmpty()) {
            throw new IllegalArgumentException("a fence is raised for one lock at least, and there is no token");
        }
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).lock.equals(ordered.get(i - 1).lock)) {
                throw new IllegalArgumentException("there are two tokens of '" + ordered.get(i).lock + "', "
                        + ordered.get(i - 1).value + " and " + ordered.get(i).value
                        + ": give the one of the lease that is held");
            }
        }
        return ordered;
    }

    /** Returns the lock's full name. */
    public String lock() {
        return lock;
    }

    /** Returns the number. */
    public long value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FencingToken token && token.value == value && token.lock.equals(lock);
    }

    @Override
    public int hashCode() {
        return Objects.hash(lock, value);
    }

    @Override
    public String toString() {
        return "token " + value + " of '" + lock + "'";
    }
}
