package io.belay.shop;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.shop.ShopSettings.Strategy;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.sale.GuardedSale;
import io.belay.shop.sale.LockingDesk;
import io.belay.shop.sale.OpenDesk;
import io.belay.shop.sale.OrderDesk;
import io.belay.shop.sale.Registers;
import io.belay.shop.sale.SaleWriter;
import io.belay.shop.sale.Shop;
import io.belay.shop.sale.Till;
import io.belay.shop.sale.UnguardedSale;
import io.belay.shop.sale.Work;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What a node is made of. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ShopSettings.class)
class ShopConfiguration {
    /** Enough to make a node without locks oversell, few enough for three nodes' connections to one database. */
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
        if (settings.sku() != null) {
            ledger.create(settings.sku(), settings.stock());
        }
        return ledger;
    }

    @Bean
    Registers registers(Ledger ledger, ShopSettings settings) {
        return new Registers(ledger, settings.node());
    }

    @Bean
    ExecutorService sellers() {
        return Executors.newFixedThreadPool(SELLERS);
    }

    // Closed by the closing below, in its turn.
    @Bean(destroyMethod = "")
    @ConditionalOnProperty(name = "belay.shop.strategy", havingValue = "lock", matchIfMissing = true)
    Belay belay(ShopUrls urls, ShopSettings settings) {
        return Belay.connect(
                urls.store(),
                BelayOptions.defaults()
                        .withClientName(settings.node())
                        .withLockDefaults(LockOptions.defaults().withLease(settings.lease())));
    }

    @Bean(destroyMethod = "")
    Till till(Ledger ledger, ShopSettings settings) {
        Work work = Work.of(settings.work());
        SaleWriter writer = settings.strategy() == Strategy.LOCK && settings.guard()
                ? new GuardedSale(ledger, work, settings.node())
                : new UnguardedSale(ledger, work, settings.node());
        return new Till(writer);
    }

    @Bean
    OrderDesk desk(ObjectProvider<Belay> belay, Till till, ExecutorService sellers, ShopSettings settings) {
        Belay client = belay.getIfAvailable();
        return client == null
                ? new OpenDesk(till, sellers)
                : new LockingDesk(client, settings.longestWait(), till, sellers);
    }

    @Bean
    Shop shop(Ledger ledger, OrderDesk desk, Registers registers) {
        return new Shop(ledger, desk, registers);
    }

    @Bean
    Closing closing(Till till, ObjectProvider<Belay> belay) {
        return new Closing(till, Optional.ofNullable(belay.getIfAvailable()));
    }
}
