package io.belay.shop;

import io.belay.Belay;
import io.belay.shop.ShopSettings.Strategy;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Stock;
import io.belay.shop.sale.BatchDesk;
import io.belay.shop.sale.GuardedSale;
import io.belay.shop.sale.LockingDesk;
import io.belay.shop.sale.OpenDesk;
import io.belay.shop.sale.OrderDesk;
import io.belay.shop.sale.Registers;
import io.belay.shop.sale.Shop;
import io.belay.shop.sale.SplitSale;
import io.belay.shop.sale.StripedDesk;
import io.belay.shop.sale.Till;
import io.belay.shop.sale.UnguardedSale;
import io.belay.shop.sale.Work;
import io.belay.spring.boot.BelayConnectionDetails;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The parts of which a node is made. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ShopSettings.class)
class ShopConfiguration {
    /** The least number of selling threads: a node without locks oversells, and three nodes fit one database. */
    private static final int SELLERS = 8;

    @Bean
    ShopUrls urls(Environment environment) {
        return ShopUrls.of(environment);
    }

    @Bean
    Ledger ledger(ShopUrls urls, ShopSettings settings) {
        Ledger ledger = Ledger.open(
                urls.ledger(),
                settings.ledgerUser(),
                settings.ledgerPassword(),
                // One more for the counts.
                SELLERS + 1);
        String sku = settings.sku();
        if (sku != null && !ledger.create(sku, settings.stock(), settings.divided())) {
            requireDivided(settings.strategy() == Strategy.STRIPED, sku, ledger);
        }
        return ledger;
    }

    private static void requireDivided(boolean wanted, String sku, Ledger ledger) {
        int segments = ledger.stock(sku).map(Stock::segments).orElse(0);
        if (wanted != segments > 0) {
            throw new IllegalArgumentException(
                    segments > 0
                            ? sku + " is divided into " + segments + " segments in this ledger: sell it with"
                                    + " belay.shop.strategy=striped, or give another belay.shop.sku"
                            : sku + " is not divided into segments in this ledger: sell it with another"
                                    + " belay.shop.strategy than striped, or give another belay.shop.sku");
        }
    }

    @Bean
    Registers registers(Ledger ledger, ShopSettings settings) {
        return new Registers(ledger, settings.node());
    }

    @Bean
    ExecutorService sellers(ShopSettings settings) {
        return Executors.newFixedThreadPool(Math.max(SELLERS, settings.divided()));
    }

    /** Says where the locks are; without locks in a store of this process, which nobody asks. */
    @Bean
    BelayConnectionDetails locks(ShopUrls urls, ShopSettings settings) {
        return BelayConnectionDetails.of(settings.strategy() == Strategy.NONE ? "memory:unused" : urls.store());
    }

    @Bean(destroyMethod = "")
    Till till(Ledger ledger, ShopSettings settings) {
        Work work = Work.of(settings.work());
        if (settings.strategy() == Strategy.NONE || !settings.guard()) {
            return new Till(new UnguardedSale(ledger, work, settings.node()));
        }
        return new Till(
                settings.strategy() == Strategy.STRIPED
                        ? new SplitSale(ledger, work, settings.node())
                        : new GuardedSale(ledger, work, settings.node()));
    }

    @Bean
    OrderDesk desk(Belay belay, Ledger ledger, Till till, ExecutorService sellers, ShopSettings settings) {
        Duration longestWait = settings.longestWait();
        return switch (settings.strategy()) {
            case NONE -> new OpenDesk(till, sellers);
            case LOCK -> new LockingDesk(belay, longestWait, till, sellers);
            case STRIPED -> new StripedDesk(belay, ledger, longestWait, till, sellers);
            case BATCH -> new BatchDesk(belay, longestWait, till);
        };
    }

    @Bean
    Shop shop(Ledger ledger, OrderDesk desk, Registers registers) {
        return new Shop(ledger, desk, registers);
    }

    @Bean
    Closing closing(Till till, Belay belay) {
        return new Closing(till, belay);
    }
}
