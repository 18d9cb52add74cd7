package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.spring.Locked.Otherwise;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.transaction.annotation.Transactional;

/** Beans of an interface with annotations, whose methods they inherit from a class that does not know it. */
class InheritedShapesTest {
    interface Stock<T> {
        @Locked("stock:#{#sku}")
        List<String> sell(String sku);

        @Locked("count:#{#what}")
        List<String> count(T what);

        @LeaderOnly(value = "reports", otherwise = Otherwise.THROW)
        List<String> report();
    }

    static class BaseStock {
        public List<String> sell(String article) {
            return LockedShapesTest.held();
        }

        public List<String> count(Integer number) {
            return LockedShapesTest.held();
        }

        public List<String> report() {
            return LockedShapesTest.held();
        }
    }

    static class ByInterface extends BaseStock implements Stock<Integer> {}

    @Proxyable(ProxyType.TARGET_CLASS)
    static class ByClass extends BaseStock implements Stock<Integer> {}

    @Transactional
    static class InTransactionByInterface extends BaseStock implements Stock<Integer> {}

    @Transactional
    @Proxyable(ProxyType.TARGET_CLASS)
    static class InTransactionByClass extends BaseStock implements Stock<Integer> {}

    static class Middle extends BaseStock implements Stock<Integer> {}

    @Proxyable(ProxyType.TARGET_CLASS)
    static class OfAMiddle extends Middle {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                ByInterface.class,
                ByClass.class,
                InTransactionByInterface.class,
                InTransactionByClass.class,
                OfAMiddle.class
            })
    @SuppressWarnings("unchecked")
    void theyHaveTheInterfacesLocks(Class<?> bean) {
        try (AnnotationConfigApplicationContext context = Applications.of(Applications.InnerTransactions.class, bean)) {
            Stock<Integer> stock = context.getBean(Stock.class);
            assertThat(AopUtils.isCglibProxy(stock)).isEqualTo(bean.isAnnotationPresent(Proxyable.class));
            assertThat(stock.sell("a")).containsExactly("stock:a");
            assertThat(stock.count(1)).containsExactly("count:1");
            if (stock instanceof BaseStock base) {
                assertThat(base.sell("a")).containsExactly("stock:a");
                assertThat(base.count(1)).containsExactly("count:1");
            }
            Leaderships leaderships = context.getBean(Leaderships.class);
            await().until(() ->
                    leaderships.lease(new Leaderships.Key("", "reports")).isPresent());
            assertThat(stock.report()).containsExactly("reports");
        }
    }
}
