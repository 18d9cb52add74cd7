package io.belay.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockMode;
import io.belay.recipes.MultiLock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which leases have a token that a fence may compare, and how tokens travel. */
class FencingTokenTest {
    @Test
    void whoHoldsALockAloneHasAToken() throws Exception {
        try (Belay belay = Belay.connect("memory:alone")) {
            List<Lease> alone = List.of(
                    belay.lock("lock").acquire(),
                    belay.readWriteLock("both").writeLock().acquire(),
                    belay.election("leader").campaign());
            for (Lease lease : alone) {
                assertThat(lease.mode()).isEqualTo(LockMode.EXCLUSIVE);
                assertThat(FencingToken.of(lease)).isEqualTo(FencingToken.of(lease.name(), lease.token()));
            }
            assertThat(FencingToken.allOf(alone)).extracting(FencingToken::lock).isSorted();
            alone.forEach(Lease::close);
        }
    }

    @Test
    void aReaderAndAHolderOfPermitsHaveNone() throws Exception {
        try (Belay belay = Belay.connect("memory:beside")) {
            Lease reader = belay.readWriteLock("both").readLock().acquire();
            Lease permit = belay.semaphore("permits", 3).permits(1).acquire();
            assertThat(Stream.of(reader, permit).map(Lease::mode)).containsExactly(LockMode.SHARED, LockMode.PERMITS);
            assertThatThrownBy(() -> FencingToken.of(reader))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'both' is a reader's");
            assertThatThrownBy(() -> FencingToken.allOf(List.of(permit)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'permits' is one of permits");
            reader.close();
            permit.close();
        }
    }

    @Test
    void aWriterWhoGoesOnAsAReaderHasNoneAnyMore() throws Exception {
        try (Belay belay = Belay.connect("memory:downgraded")) {
            var both = belay.reentrantReadWriteLock("b");
            both.writeLock().lock();
            assertThat(both.writeLock().lease().mode()).isEqualTo(LockMode.EXCLUSIVE);
            both.readLock().lock();
            both.writeLock().unlock();
            Lease lease = both.readLock().lease();
            assertThat(lease.mode()).isEqualTo(LockMode.SHARED);
            assertThatThrownBy(() -> FencingToken.of(lease)).hasMessageContaining("'b' is a reader's");
            both.readLock().unlock();
        }
    }

    @Test
    void severalLocksAsOneHaveOneEach() throws Exception {
        try (Belay belay = Belay.connect("memory:several")) {
            var all = MultiLock.of(belay.lock("b"), belay.lock("a")).acquire();
            assertThat(FencingToken.allOf(all.leases()))
                    .extracting(FencingToken::lock)
                    .containsExactly("a", "b");
            all.close();
        }
    }

    @Test
    void twoOfOneLockAndNoneAtAllAreRefused() {
        FencingToken five = FencingToken.of("x", 5);
        assertThat(FencingToken.inOrder(List.of(five, FencingToken.of("x", 5)))).containsExactly(five);
        assertThatThrownBy(() -> FencingToken.inOrder(List.of(five, FencingToken.of("x", 6))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two tokens of 'x', 5 and 6");
        assertThatThrownBy(() -> FencingToken.allOf(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FencingToken.of("x", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 0");
    }

    @Test
    void aHeaderTellsTheSameTokens() {
        List<FencingToken> tokens = List.of(
                FencingToken.of("a, b=c;%+d\"", 7),
                FencingToken.of("stock:iphone", Long.MAX_VALUE),
                FencingToken.of("zürich/*-_.", 1));
        String header = FencingTokenHeader.format(tokens);
        assertThat(header)
                .isEqualTo("a%2C%20b%3Dc%3B%25%2Bd%22=7, stock:iphone=9223372036854775807, z%C3%BCrich/*-_.=1");
        assertThat(FencingTokenHeader.parse(header)).isEqualTo(tokens);
    }

    @Test
    void aHeaderThatIsNoneIsRefusedInOneLine() {
        for (String wrong :
                List.of("", "42", "a=", "a=x", "a=0", "a=-1", "a=1,", "a=1,a=2", "%zz=1", "a=99999999999999999999")) {
            assertThatThrownBy(() -> FencingTokenHeader.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("\n");
        }
        assertThatThrownBy(() -> FencingTokenHeader.parse("a=1, b:2"))
                .hasMessage("'b:2' in the header Fencing-Token is no LOCK=TOKEN, as stock:iphone=42");
    }

    /** Else its line breaks would be in logs, and its length in databases. */
    @Test
    void whatIsNoLocksNameHasNoToken() {
        for (String wrong : List.of("=5", "a%0Ab=5", "a".repeat(513) + "=5")) {
            assertThatThrownBy(() -> FencingTokenHeader.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is no LOCK=TOKEN");
        }
        assertThatThrownBy(() -> FencingToken.of("a\nb", 5))
                .hasMessageContaining("the lock's name has a control character");
    }

    @Test
    void aRefusalNamesLockAndTokens() {
        StaleTokenException refusal = StaleTokenException.of(FencingToken.of("stock", 5), 7);
        assertThat(refusal).hasMessageStartingWith("the fence of 'stock' stands at token 7 and refuses 5: ");
        assertThat(refusal.lock()).isEqualTo("stock");
        assertThat(refusal.token()).isEqualTo(5);
        assertThat(refusal.raisedTo()).isEqualTo(7);
    }
}
