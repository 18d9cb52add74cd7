package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.tck.StoreSpec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A quorum whose servers lack a script: it is sent anew, and is overtaken by the question how the server stands. */
class QuorumScriptsTest {
    private static final long LEASE = 30_000_000;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private QuorumServers servers;
    private Store store;

    @BeforeEach
    void start() throws Exception {
        servers = new QuorumServers(3, "longest-lease=60s&member-timeout=1m");
        StoreSpec spec = servers::url;
        store = spec.open(1, new RecordingListener());
    }

    @AfterEach
    void end() {
        store.close();
        servers.close();
    }

    /** Has the servers forget all scripts but that by which one lock is renewed: the question is of that kind, too. */
    private void forgetOthersThanOf(Request.Renew renewal) throws Exception {
        for (RedisServer server : servers.all()) {
            server.command("SCRIPT", "FLUSH");
        }
        granted(store.send(renewal));
    }

    private static Answer granted(CompletionStage<Answer> answer) throws Exception {
        Answer told = answer.toCompletableFuture().get(Pace.seconds(), SECONDS);
        assertThat(told.state()).isEqualTo(Answer.State.GRANTED);
        return told;
    }

    /** Enters a lock named by number, and returns how it is renewed. */
    private Request.Renew enter(int number) throws Exception {
        String name = "lock-" + number;
        ClaimId id = ClaimId.of(1, number);
        ClaimSpec spec = ClaimSpec.whole(LEASE).withIfFree(true);
        Answer entered = granted(store.send(Request.Enter.of(name, id, spec, 0, OWNER)));
        return Request.Renew.of(name, id, entered.sequence(), LEASE, 0, false);
    }

    @Test
    void severalRenewalsCount() throws Exception {
        List<Request.Renew> chunk = List.of(enter(1), enter(2));
        forgetOthersThanOf(chunk.get(0));
        for (CompletionStage<Answer> answer : store.renew(chunk)) {
            granted(answer);
        }
    }

    @Test
    void aFixedEndCounts() throws Exception {
        fix(enter(1)); // a JVM that does so for the first time is slower than the servers
        Request.Renew held = enter(2);
        forgetOthersThanOf(held);
        assertThat(fix(held).reweights()).isOne();
    }

    private Answer fix(Request.Renew held) throws Exception {
        return granted(store.send(Request.Fix.of(held.resource(), held.id(), held.sequence(), 0, LEASE)));
    }

    @Test
    void anEnterCounts() throws Exception {
        forgetOthersThanOf(enter(1));
        enter(2);
    }
}
