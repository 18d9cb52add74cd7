package io.belay.flashsale.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final String BUSY = "HTTP/1.1 503 \r\nContent-Length: 0\r\nRetry-After: 0\r\n\r\n";
    private static final String BROKEN = "HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n";

    private static Tally place(int orders, int clients, Server... servers) throws InterruptedException {
        try (Load load = new Load(List.of(servers), "/orders", orders, orders, clients, Pace.patience())) {
            assertThat(load.await(Pace.patience().toMillis())).isTrue();
            assertThat(load.tally().done()).isEqualTo(orders);
            return load.tally();
        }
    }

    @Test
    void ordersAreSpreadAndCounted() throws Exception {
        try (FakeServer one = new FakeServer(i -> FakeServer.CREATED);
                FakeServer two = new FakeServer(i -> FakeServer.SOLD_OUT)) {
            Tally tally = place(100, 4, one.server("one"), two.server("two"));
            assertThat(tally.sold()).isEqualTo(50);
            assertThat(tally.soldOut()).isEqualTo(50);
            assertThat(tally.percentileMillis(99)).isPositive();
            assertThat(one.connections()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void anOrderThatWasCertainlyNotTakenIsPlacedAgain() throws Exception {
        // The port of a server that was closed may be another's by now: nobody listens on one that is bound only.
        try (Socket bound = new Socket();
                FakeServer busy = new FakeServer(i -> i % 2 == 0 ? BUSY : FakeServer.CREATED)) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Server gone = new Server("gone", (InetSocketAddress) bound.getLocalSocketAddress());
            Tally tally = place(10, 2, gone, busy.server("busy"));
            assertThat(tally.sold()).isEqualTo(10);
            assertThat(tally.retries()).isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void anOrderThatMayHaveBeenTakenIsNot() throws Exception {
        try (FakeServer server = new FakeServer(i -> i < 3 ? null : i < 5 ? "rubbish" : FakeServer.CREATED)) {
            Tally tally = place(10, 1, server.server("one"));
            assertThat(tally.unknown()).isEqualTo(5);
            assertThat(tally.sold()).isEqualTo(5);
            assertThat(server.requests()).isEqualTo(10);
        }
    }

    @Test
    void theSpeedOfSellingIsThatOfTheLastThreeQuarters() {
        AtomicLong now = new AtomicLong();
        Tally tally = new Tally(8, now::get);
        tally.countSoldOut(1);
        assertThat(tally.soldPerSecond()).isZero();
        now.set(5_000_000_000L); // the start-up, which does not count
        tally.countSold(1);
        tally.countSold(1);
        assertThat(tally.soldPerSecond()).isZero();
        for (int i = 0; i < 6; i++) {
            now.addAndGet(500_000_000);
            tally.countSold(1);
        }
        now.addAndGet(500_000_000);
        tally.countSoldOut(1);
        assertThat(tally.soldPerSecond()).isEqualTo(2);
    }

    @Test
    void aSingleUnitHasASpeedToo() {
        AtomicLong now = new AtomicLong();
        Tally tally = new Tally(1, now::get);
        now.set(500_000_000);
        tally.countSold(1);
        assertThat(tally.soldPerSecond()).isEqualTo(2);
    }

    /** A sale in which nothing else happens is to be given up. */
    @Test
    void whatIsGivenUpOrNotAnsweredIsNoProgress() {
        AtomicLong now = new AtomicLong();
        Tally tally = new Tally(2, now::get);
        now.set(1);
        tally.countFailed();
        tally.countUnknown();
        assertThat(tally.lastProgress()).isZero();
        tally.countSold(1);
        assertThat(tally.lastProgress()).isEqualTo(1);
        now.set(2);
        tally.countSoldOut(1);
        assertThat(tally.lastProgress()).isEqualTo(2);
    }

    @Test
    void otherAnswersAreFailures() throws Exception {
        try (FakeServer server = new FakeServer(i -> BROKEN)) {
            assertThat(place(3, 1, server.server("one")).failed()).isEqualTo(3);
            assertThat(server.requests()).isEqualTo(3);
        }
    }

    @Test
    void aServerThatNeverHasTimeIsGivenUp() throws Exception {
        try (FakeServer server = new FakeServer(i -> BUSY)) {
            assertThat(place(1, 1, server.server("one")).failed()).isEqualTo(1);
        }
    }

    @Test
    void whatIsGoneIsLeftOut() throws Exception {
        try (FakeServer one = new FakeServer(i -> FakeServer.CREATED);
                FakeServer two = new FakeServer(i -> FakeServer.CREATED);
                FakeServer three = new FakeServer(i -> FakeServer.CREATED)) {
            Server gone = two.server("two");
            gone.markGone();
            place(100, 3, one.server("one"), gone, three.server("three"));
            assertThat(two.requests()).isZero();
            assertThat(one.requests()).isEqualTo(50);
        }
        Server only = new Server("only", new FakeServer(i -> null).address());
        only.markGone();
        assertThat(place(5, 2, only).failed()).isEqualTo(5);
    }
}
