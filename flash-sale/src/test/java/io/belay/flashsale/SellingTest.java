package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.flashsale.load.FakeServer;
import io.belay.flashsale.load.Load;
import io.belay.flashsale.load.Server;
import io.belay.servers.Pace;
import io.belay.shop.ShopSettings.Strategy;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.SaleStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sales whose ledger fails, or whose nodes have all ended or answer no more, before the end. */
class SellingTest {
    private static final String SKU = "item";
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** No nodes: all that it starts would have ended by now. */
    private static final SalePlan PLAN = plan(0);

    private static SalePlan plan(int nodes) {
        return plan(nodes, Optional.of(SECOND));
    }

    private static SalePlan plan(int nodes, Optional<Duration> fault) {
        return plan(nodes, Strategy.LOCK, 0, fault);
    }

    private static SalePlan striped() {
        return plan(0, Strategy.STRIPED, 3, Optional.of(SECOND));
    }

    private static SalePlan plan(int nodes, Strategy strategy, int segments, Optional<Duration> fault) {
        return new SalePlan(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                strategy,
                segments,
                true,
                nodes,
                3,
                5,
                10,
                Duration.ZERO,
                SECOND,
                SECOND,
                fault,
                fault,
                false,
                false,
                false);
    }

    @TempDir
    private Path directory;

    private final Cleanup cleanup = new Cleanup();
    private Ledger ledger;
    private Site site;
    private Nodes nodes;

    @BeforeEach
    void begin() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("ledger.db");
        ledger = Ledger.open(url, null, null, 1);
        cleanup.add(ledger::close);
        assertThat(ledger.create(SKU, PLAN.stock())).isTrue();
        site = new Site(directory, "memory:selling", url, SKU);
        nodes = Nodes.start(PLAN, directory, site.store(), url, cleanup);
    }

    @AfterEach
    void end() {
        cleanup.close();
    }

    private Saboteur saboteur() {
        return new Saboteur(PLAN, nodes, ledger, SKU, new Holder(nodes, List.of(), null), line -> {});
    }

    /** Nobody would end it, and it would make anew what has been removed. */
    @Test
    void noNodeIsStartedOnceASignalHasEndedTheSale() {
        cleanup.close();
        assertThatThrownBy(() -> Nodes.start(plan(1), directory, site.store(), site.ledger(), cleanup))
                .hasMessageContaining("before node-1 was started");
    }

    /** Nor before a session of ZooKeeper's has ended. */
    @Test
    void aSaleIsNotGivenUpBeforeADeadNodesLeaseHasEnded() {
        assertThat(PLAN.patience()).isGreaterThan(PLAN.lease().plusSeconds(40));
    }

    @Test
    void whatTheClientsSawIsToldWithoutTheLedger() {
        ledger.close();
        Selling selling = new Selling(PLAN, site, ledger, nodes, null);
        assertThatThrownBy(selling::run)
                .hasMessageContaining("of 10 orders 0 were confirmed, 0 refused, 0 not answered, 10 failed")
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exitCode()).isEqualTo(CliException.FELL_SHORT));
    }

    /** A waiter that is stranded once the last unit is sold, say. */
    @Test
    void aSaleThatIsGivenUpFallsShortThoughAllIsSold() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        FakeServer.Script silentOnceAllIsSold = request -> {
            if (request >= PLAN.stock()) {
                over.await();
            }
            return FakeServer.CREATED;
        };
        try (FakeServer server = new FakeServer(silentOnceAllIsSold);
                Load load =
                        new Load(List.of(server.server("one")), "/", PLAN.orders(), PLAN.stock(), 1, Pace.patience())) {
            await().until(() -> load.tally().sold() == PLAN.stock());
            SaleResult result = new SaleResult(
                    plan(0, Optional.empty()),
                    site,
                    new SaleStatus(SKU, PLAN.stock(), 0, PLAN.stock(), 0, new TreeMap<>()),
                    load.tally(),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.empty(),
                    List.of());
            assertThat(result.exitCode()).isEqualTo(CliException.FELL_SHORT);
            assertThat(result.shortcomings()).singleElement().asString().startsWith("5 orders failed");
            assertThat(new SaleReport(result).json()).containsEntry("failed", 5L);
        } finally {
            over.countDown();
        }
    }

    @Test
    @Tag("long")
    void ordersAreTakenWhereNodesAreAlive() throws Exception {
        Nodes two = Nodes.start(plan(2), directory, site.store(), site.ledger(), cleanup);
        two.node(two.servers().get(0)).kill();
        assertThat(new Selling(PLAN, site, ledger, two, null).addresses())
                .singleElement()
                .asString()
                .contains(":" + two.servers().get(1).address().getPort() + "/");
    }

    @Test
    void aFaultThatIsDueDoesNotNeedTheLedger() throws Exception {
        ledger.close();
        Saboteur saboteur = saboteur();
        saboteur.tick(2);
        assertThat(saboteur.pause()).isEmpty();
        assertThat(saboteur.kill()).isEmpty();
    }

    /** Though nobody was seen with it, as each had it for a moment. */
    @Test
    void whoHasSoldOfThePausedNodesLotHasHadItsLock() throws Exception {
        Lot lot = new Lot("striped", 1, 3);
        assertThat(ledger.create("striped", 9, 3)).isTrue();
        Holder blind = new Holder(nodes, List.of(), null) {
            @Override
            Optional<Held> pause() {
                Server node = new Server("node-1", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
                return Optional.of(new Held(node, lot.lockName()));
            }
        };
        Saboteur saboteur = new Saboteur(striped(), nodes, ledger, "striped", blind, line -> {});
        saboteur.tick(2);
        sell(lot); // its own last sale, which had been sent as it was stopped
        saboteur.tick(2.1);
        sell(new Lot("striped", 0, 3));
        saboteur.tick(2.3);
        assertThat(saboteur.pause())
                .hasValueSatisfying(pause -> assertThat(pause.passedOn()).isFalse());
        sell(lot);
        saboteur.tick(2.4);
        assertThat(saboteur.pause())
                .hasValueSatisfying(pause -> assertThat(pause.passedOn()).isTrue());
    }

    private void sell(Lot lot) {
        ledger.write(transaction -> {
            transaction.writeStock(lot, transaction.remaining(lot) - 1);
            return lot;
        });
    }

    @Test
    void aKillThatIsDueAfterTheLastNodeHasEndedKillsNone() throws Exception {
        Saboteur saboteur = saboteur();
        saboteur.tick(2);
        assertThat(saboteur.kill()).isEmpty();
    }
}
