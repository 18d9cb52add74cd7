package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.Position;
import io.belay.servers.Pace;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An enter that is sent again though its claim has its node by now, which may be moved meanwhile. */
@Tag("consensus")
class EnterAgainTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    static final Details DETAILS =
            new Details(Resource.WHOLE, 0, false, false, 10_000_000, 0, 0, 0, Owner.of("client", "host", 1, "thread"));

    private ZooKeeperServer server;
    private TcpProxy proxy;
    private ZooKeeperNodes nodes;
    private Node own;

    @BeforeEach
    void enterOnce() throws Exception {
        server = ZooKeeperServer.start();
        proxy = TcpProxy.to(server);
        Settings settings = new ZooKeeperUrl(proxy.url() + "?session-timeout=40s").parse();
        nodes = new ZooKeeperNodes(settings, Connection.open(settings, () -> {}), 1);
        own = own(enter());
    }

    @AfterEach
    void stop() {
        nodes.close();
        proxy.close();
        server.close();
    }

    private CompletionStage<Optional<Position>> enter() {
        return nodes.enter("x", ID, Resource.WHOLE, DETAILS);
    }

    private CompletionStage<Optional<Position>> move(Node from) {
        return nodes.requeue("x", from, DETAILS, true);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static Node own(CompletionStage<Optional<Position>> entry) throws Exception {
        return get(entry).orElseThrow().own();
    }

    private void assertOneIsThere(Node one) throws Exception {
        assertThat(get(nodes.list("x", true)).nodes()).extracting(Node::key).containsExactly(one.key());
    }

    /** Its claim would lose its place, or have two. */
    @Test
    void aNodeThatIsMovedMeanwhileIsFoundInItsNewPlace() throws Exception {
        proxy.silenceReplies();
        CompletionStage<Optional<Position>> entering = enter(); // asks for names, of which the former one is there
        CompletionStage<Optional<Position>> moving = move(own);
        proxy.pass();
        Node moved = own(moving);
        assertThat(moved.key()).isNotEqualTo(own.key());
        assertThat(own(entering).key()).isEqualTo(moved.key());
        assertOneIsThere(moved);
        Node next = own(move(moved));
        assertThat(get(nodes.leave("x", ID, next, false))).isTrue();
        assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
    }

    /** As the count of a latch, which others may end. */
    @Test
    void whatBelongsToNobodyIsFoundAgainAndNotKeptInMind() throws Exception {
        int before = nodes.size();
        ClaimId id = ClaimId.of(ClaimId.NOBODY, 1);
        Node made = own(nodes.enter("l", id, Resource.WHOLE, DETAILS));
        assertThat(own(nodes.enter("l", id, Resource.WHOLE, DETAILS)).key()).isEqualTo(made.key());
        ClaimId other = ClaimId.of(ClaimId.NOBODY, 2);
        assertThat(get(nodes.enter("l", other, Resource.WHOLE, DETAILS))).isEmpty();
        assertThat(nodes.size()).isEqualTo(before);
        assertThat(get(nodes.leave("l", id, null, true))).isTrue();
        assertThat(get(nodes.list("l", true)).nodes()).isEmpty();
        assertThat(nodes.size()).isEqualTo(before);
    }

    /** That a claim of its own ended with the session says nothing of another client's, which the holder of its ticket gives back. */
    @Test
    void withoutASessionOnlyAnOwnClaimIsKnownToBeOver() throws Exception {
        nodes.close();
        assertThat(get(nodes.leave("x", ClaimId.of(1, 2), null, false))).isFalse();
        assertThat(nodes.leave("x", ClaimId.of(2, 1), null, false).toCompletableFuture())
                .failsWithin(Pace.patience());
    }

    /** What an enter has not found out is no reason to forget what was known. */
    @Test
    void aNodeIsMovedAfterAnEnterThatFailed() throws Exception {
        proxy.loseNextReply();
        assertThat(enter().toCompletableFuture()).failsWithin(Pace.patience());
        Optional<Position> moved = await().atMost(Pace.patience())
                .ignoreExceptions() // there is no connection yet
                .until(() -> get(move(own)), position -> true);
        assertOneIsThere(moved.orElseThrow().own());
    }
}
