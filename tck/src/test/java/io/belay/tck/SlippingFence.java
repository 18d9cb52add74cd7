package io.belay.tck;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A fence of a number in memory, with a mistake that a fence may have. Thread-safe where that is not the mistake. */
final class SlippingFence implements Fence<SlippingFence.Writer, RuntimeException> {
    /** What it does wrong, and the test of {@link FenceTck} that notices. */
    enum Slip {
        NONE(""),
        IGNORES_LOWER_TOKENS("tokensAreComparedAsTheyAre"),
        COMPARES_ONLY_WHEN_RAISED("aHolderThatIsStoppedBeforeItsWriteLosesNoUpdate"),
        COMPARES_WITH_WRITERS_ALONE("aHolderIsRefusedOnceItsSuccessorHasRaisedTheFence"),
        REFUSES_THE_SAME_TOKEN("aHolderWritesAsOftenAsItLikes"),
        COMPARES_AS_FLOATING_POINT("tokensAreComparedAsTheyAre"),
        HAS_ONE_FENCE_FOR_ALL("eachLockHasAFenceOfItsOwn"),
        RAISES_SOME_AND_REFUSES_OTHERS("severalAreRaisedTogetherOrNotAtAll"),
        COMPARES_THE_FIRST_ALONE("severalAreRaisedTogetherOrNotAtAll"),
        RESETS_ALL("aResetLetsAnyTokenInAgainAndOnlyOfThatLock"),
        RESETS_NOTHING("aResetLetsAnyTokenInAgainAndOnlyOfThatLock"),
        TAKES_ANY_TOKENS("whatCannotBeFencedIsRefused"),
        RAISES_IN_TWO_STEPS("ofTwoThatRaiseAtTheSameInstantTheLaterOneStands"),
        WRITES_IN_TWO_STEPS("whatASuccessorReadsStaysThoughItsPredecessorWritesAtTheSameInstant");

        final String noticedBy;

        Slip(String noticedBy) {
            this.noticedBy = noticedBy;
        }
    }

    private final Slip slip;
    private final Map<String, Long> raised = new ConcurrentHashMap<>();
    private volatile long value;

    SlippingFence(Slip slip) {
        this.slip = slip;
    }

    long value() {
        return value;
    }

    void overwrite(long next) {
        value = next;
    }

    @Override
    public Writer raiseTo(Collection<FencingToken> tokens) {
        List<FencingToken> ordered = slip == Slip.TAKES_ANY_TOKENS ? List.copyOf(tokens) : FencingToken.inOrder(tokens);
        if (slip == Slip.RAISES_SOME_AND_REFUSES_OTHERS) {
            ordered.forEach(token -> raise(List.of(token)));
        } else {
            raise(ordered);
        }
        return new Writer(ordered);
    }

    private void raise(List<FencingToken> tokens) {
        inOneStep(Slip.RAISES_IN_TWO_STEPS, () -> check(tokens), () -> {
            if (slip != Slip.COMPARES_WITH_WRITERS_ALONE) {
                tokens.forEach(token -> raised.put(key(token.lock()), token.value()));
            }
        });
    }

    /** Does one after the other, and lets nobody between them but by mistake. */
    private void inOneStep(Slip mistake, Runnable check, Runnable change) {
        if (slip == mistake) {
            check.run();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            change.run();
        } else {
            synchronized (this) {
                check.run();
                change.run();
            }
        }
    }

    private void check(List<FencingToken> tokens) {
        for (FencingToken token : slip == Slip.COMPARES_THE_FIRST_ALONE ? tokens.subList(0, 1) : tokens) {
            long stands = raised.getOrDefault(key(token.lock()), 0L);
            boolean lower =
                    slip == Slip.COMPARES_AS_FLOATING_POINT ? (double) token.value() < stands : token.value() < stands;
            boolean same = slip == Slip.REFUSES_THE_SAME_TOKEN && token.value() == stands;
            if (slip != Slip.IGNORES_LOWER_TOKENS && (lower || same)) {
                throw StaleTokenException.of(token, stands);
            }
        }
    }

    private String key(String lock) {
        return slip == Slip.HAS_ONE_FENCE_FOR_ALL ? "" : lock;
    }

    @Override
    public void reset(String lock) {
        if (slip == Slip.RESETS_ALL) {
            raised.clear();
        } else if (slip != Slip.RESETS_NOTHING) {
            raised.remove(key(lock));
        }
    }

    /** Sets the number. */
    final class Writer {
        private final List<FencingToken> tokens;

        private Writer(List<FencingToken> tokens) {
            this.tokens = tokens;
        }

        void write(long next) {
            inOneStep(Slip.WRITES_IN_TWO_STEPS, this::begin, () -> value = next);
        }

        private void begin() {
            if (slip != Slip.COMPARES_ONLY_WHEN_RAISED) {
                check(tokens);
            }
            tokens.forEach(token -> raised.put(key(token.lock()), token.value()));
        }
    }
}
