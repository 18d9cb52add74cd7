package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The tests that a fence must pass. A fence's test extends this and says how to open one.
 *
 * @param <W> by what the fence has its holders write
 * @param <E> what it throws where it fails, and does not refuse
 */
public abstract class FenceTck<W, E extends Exception> {
    private static final String LOCK = "stock:\u00e4 b/*.$%{x}";

    /** The other one of two that do something at the same instant. */
    private final ExecutorService second = Executors.newSingleThreadExecutor();

    private FenceSpec<W, E> data;
    private Fence<W, E> fence;

    /** Creates an instance; only test classes do so. */
    protected FenceTck() {}

    /**
     * Opens a number that one test has to itself.
     *
     * @throws Exception if that fails, and the test with it
     */
    protected abstract FenceSpec<W, E> open() throws Exception;

    @BeforeEach
    final void openData() throws Exception {
        data = open();
        fence = data.fence();
    }

    @AfterEach
    final void closeData() throws Exception {
        second.shutdownNow();
        data.close();
    }

    private static FencingToken token(long value) {
        return FencingToken.of(LOCK, value);
    }

    private W raise(FencingToken... tokens) throws E {
        return fence.raiseTo(List.of(tokens));
    }

    private void assertRefused(FencingToken token, long raisedTo) {
        assertThatThrownBy(() -> raise(token)).isInstanceOfSatisfying(StaleTokenException.class, refused -> {
            assertThat(refused.lock()).isEqualTo(token.lock());
            assertThat(refused.token()).isEqualTo(token.value());
            assertThat(refused.raisedTo()).isEqualTo(raisedTo);
        });
    }

    @Test
    final void aHolderWritesAsOftenAsItLikes() throws Exception {
        data.write(raise(token(1)), 1);
        W writer = raise(token(1));
        data.write(writer, data.read() + 1);
        data.write(writer, data.read() + 1);
        assertThat(data.read()).isEqualTo(3);
    }

    /** It has raised the fence and read, and is stopped until its successor is done. */
    @Test
    final void aHolderThatIsStoppedBeforeItsWriteLosesNoUpdate() throws Exception {
        W old = raise(token(1));
        long read = data.read();

        W successor = raise(token(2));
        data.write(successor, data.read() + 1);

        assertThatThrownBy(() -> data.write(old, read + 1)).isInstanceOf(StaleTokenException.class);
        data.write(successor, data.read() + 1);
        assertThat(data.read()).isEqualTo(2);
    }

    /** The premise of the above. */
    @Test
    final void withoutTheFenceItLosesOne() throws Exception {
        long read = data.read();
        data.writeUnguarded(data.read() + 1);
        data.writeUnguarded(read + 1);
        assertThat(data.read()).as("what two updates have come to").isEqualTo(1);
    }

    /** It is stopped before its successor has written: what that read must stay what is there. */
    @Test
    final void aHolderIsRefusedOnceItsSuccessorHasRaisedTheFence() throws Exception {
        W old = raise(token(1));
        data.write(old, 5);
        W successor = raise(token(2));
        long read = data.read();
        assertThatThrownBy(() -> data.write(old, 7)).isInstanceOf(StaleTokenException.class);
        assertThat(data.read()).isEqualTo(read);
        data.write(successor, read + 1);
        assertThat(data.read()).isEqualTo(6);
    }

    /** What compares and then raises, in two steps, lets the earlier one take back what the later one has raised. */
    @Test
    final void ofTwoThatRaiseAtTheSameInstantTheLaterOneStands() throws Exception {
        race(round -> {
            FencingToken earlier = token(2 * round);
            FencingToken later = token(2 * round + 1);
            together(round, () -> unlessRefused(() -> raise(earlier)), () -> raise(later));
            assertRefused(earlier, later.value());
        });
    }

    /** What compares and then writes, in two steps, writes over what the successor has read. */
    @Test
    final void whatASuccessorReadsStaysThoughItsPredecessorWritesAtTheSameInstant() throws Exception {
        race(round -> {
            W old = raise(token(2 * round));
            AtomicLong read = new AtomicLong();
            together(round, () -> unlessRefused(() -> data.write(old, round)), () -> {
                raise(token(2 * round + 1));
                read.set(data.read());
            });
            assertThat(data.read())
                    .as("what was read once the fence was raised")
                    .isEqualTo(read.get());
        });
    }

    private interface Step {
        void run() throws Exception;
    }

    private interface Round {
        void run(long number) throws Exception;
    }

    private static void race(Round round) throws Exception {
        long until = Race.endOfAll();
        long number = 1;
        do {
            round.run(number++);
        } while (System.nanoTime() - until < 0);
    }

    /** Runs both at the same instant. Who comes last to where they meet goes on first, so they change places. */
    private void together(long round, Step one, Step other) throws Exception {
        Step here = round % 2 == 0 ? one : other;
        Step there = round % 2 == 0 ? other : one;
        CyclicBarrier start = new CyclicBarrier(2);
        Future<?> running = second.submit(() -> {
            start.await();
            there.run();
            return null;
        });
        start.await(Pace.HERE.patience().toSeconds(), TimeUnit.SECONDS);
        here.run();
        running.get(Pace.HERE.patience().toSeconds(), TimeUnit.SECONDS);
    }

    private static void unlessRefused(Step step) throws Exception {
        try {
            step.run();
        } catch (StaleTokenException e) {
            // The other one was there first.
        }
    }

    /** Among them two that a floating-point number cannot tell apart, and two of another length. */
    @Test
    final void tokensAreComparedAsTheyAre() throws Exception {
        raise(token(9));
        raise(token(10));
        assertRefused(token(9), 10);
        raise(token(Long.MAX_VALUE));
        assertRefused(token(Long.MAX_VALUE - 1), Long.MAX_VALUE);
    }

    @Test
    final void eachLockHasAFenceOfItsOwn() throws Exception {
        raise(token(7));
        FencingToken other = FencingToken.of(LOCK + "x", 3);
        data.write(raise(other), 1);
        assertRefused(token(6), 7);
    }

    @Test
    final void severalAreRaisedTogetherOrNotAtAll() throws Exception {
        FencingToken a = FencingToken.of("a", 5);
        FencingToken b = FencingToken.of("b", 5);
        W both = raise(b, a);
        data.write(both, 1);

        raise(FencingToken.of("b", 6));

        assertThatThrownBy(() -> data.write(both, 2))
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        refused -> assertThat(refused.lock()).isEqualTo("b"));
        assertThatThrownBy(() -> raise(FencingToken.of("a", 9), b)).isInstanceOf(StaleTokenException.class);
        raise(a); // to which nothing has been raised
        assertThat(data.read()).isEqualTo(1);
    }

    @Test
    final void aResetLetsAnyTokenInAgainAndOnlyOfThatLock() throws Exception {
        raise(token(7));
        raise(FencingToken.of("other", 7));
        fence.reset(LOCK);
        data.write(raise(token(1)), 1);
        assertRefused(FencingToken.of("other", 6), 7);
    }

    @Test
    final void whatCannotBeFencedIsRefused() throws Exception {
        try (Belay belay = Belay.connect("memory:fenced")) {
            Lease reader = belay.readWriteLock("both").readLock().acquire();
            assertThatThrownBy(() -> fence.raise(reader)).isInstanceOf(IllegalArgumentException.class);
            reader.close();
            try (Lease lease = belay.lock("lock").acquire()) {
                data.write(fence.raise(lease), 1);
                data.write(fence.raise(List.of(lease)), 2);
            }
        }
        assertThatThrownBy(() -> fence.raise(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> raise(token(1), token(2))).isInstanceOf(IllegalArgumentException.class);
    }
}
