package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.StoreException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What counts as a server's silence while a connection is made, in time that does not pass by itself. */
class SilenceTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration LOOK = LIMIT.dividedBy(Silence.LOOKS);
    private static final Duration HOUR = Duration.ofHours(1);

    private long now;
    private final Silence silence = new Silence(new Failures(Settings.parse("redis://there")), LIMIT, () -> now);
    private final CompletableFuture<String> made = new CompletableFuture<>();
    private final AtomicReference<String> late = new AtomicReference<>();
    private final CompletableFuture<String> result = silence.limit(made, late::set);

    /** Takes an hour for all that comes, as who has a lot of code to load. */
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            pass(HOUR);
        }
    });

    @BeforeEach
    void setUp() {
        channel.freezeTime();
        silence.join(channel);
    }

    private void pass(Duration time) {
        now += time.toNanos();
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The channel's thread has nothing to do but to look. */
    private void idle(Duration time) {
        for (long looks = time.dividedBy(LOOK); looks > 0; looks--) {
            pass(LOOK);
            channel.runScheduledPendingTasks();
        }
    }

    private void ask() {
        channel.connect(new InetSocketAddress("127.0.0.1", 1));
    }

    private void assertSilent(String more) {
        assertThatThrownBy(result::join)
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessage("Redis at there:6379 did not answer within 2000 ms: is it stopped or overloaded?" + more);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void countsFromWhenTheConnectionIsAskedFor() {
        idle(HOUR);
        ask();
        idle(LIMIT.minus(LOOK));
        assertThat(result).isNotDone();
        idle(LOOK);
        assertSilent("");
    }

    @Test
    void ownWorkDoesNotCount() {
        ask();
        for (int i = 0; i < Silence.LOOKS - 1; i++) {
            channel.writeInbound("answer");
            idle(LOOK);
        }
        assertThat(result).isNotDone();
        made.complete("link");
        assertThat(result).isCompletedWithValue("link");
    }

    @Test
    void aProcessThatIsStoppedHasNotBeenKeptWaiting() {
        ask();
        for (int i = 1; i < Silence.LOOKS; i++) {
            pass(HOUR);
            channel.runScheduledPendingTasks();
        }
        assertThat(result).isNotDone();
        pass(LOOK);
        channel.runScheduledPendingTasks();
        assertSilent(" This process was held up itself, for another 356398020 ms: perhaps it is the whole machine that"
                + " is overloaded");
    }

    @Test
    void theConnectionThatWasAskedForLastCounts() {
        ask();
        EmbeddedChannel second = new EmbeddedChannel();
        second.freezeTime();
        silence.join(second);
        second.connect(new InetSocketAddress("127.0.0.1", 1));
        idle(HOUR);
        assertThat(result).isNotDone();
        second.advanceTimeBy(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        for (int i = 0; i < Silence.LOOKS; i++) {
            second.advanceTimeBy(LOOK.toNanos(), TimeUnit.NANOSECONDS);
            second.runScheduledPendingTasks();
        }
        assertThat(result).isCompletedExceptionally();
        assertThat(channel.isOpen()).isFalse();
        assertThat(second.isOpen()).isFalse();
    }

    @Test
    void whatComesTooLateIsHandedBack() {
        ask();
        idle(LIMIT);
        made.complete("link");
        assertThat(late).hasValue("link");
        assertSilent("");
    }

    @Test
    void nobodyLooksOnceAllIsDone() {
        ask();
        made.complete("link");
        idle(HOUR);
        channel.writeInbound("answer");
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.pipeline().names()).hasSize(2); // its own, and the end
    }
}
