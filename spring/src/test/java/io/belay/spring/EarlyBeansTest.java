package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spring.LockedShapesTest.Shop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Beans that Spring makes before any post-processor can stand before them. */
class EarlyBeansTest {
    static class Orders {
        @Locked("x")
        public List<String> sell() {
            return LockedShapesTest.held();
        }
    }

    static class Reports {
        @LeaderOnly("x")
        public void write() {}
    }

    /** As that of Spring's method validation. */
    static class Processor implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class OfAConfiguration {
        OfAConfiguration(Orders orders) {
            assertThat(orders).isNotNull();
        }

        @Bean
        Processor processor() {
            return new Processor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Reports.class)
    static class OfAFactoryPostProcessor {
        @Bean
        static BeanFactoryPostProcessor processor(Reports reports) {
            return beans -> assertThat(reports).isNotNull();
        }
    }

    /** Spring makes all of those that have an order, before it asks the first of them. */
    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class OfARegistryPostProcessor {
        static class First implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {
            @Override
            public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {}

            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }
        }

        @Bean
        static First processor(Orders orders) {
            assertThat(orders).isNotNull();
            return new First();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfARepository {
        @Bean
        static Shop repository() {
            ProxyFactory factory = new ProxyFactory(new Object());
            factory.setInterfaces(Shop.class);
            return (Shop) factory.getProxy();
        }

        @Bean
        static Processor processor(Shop shop) {
            assertThat(shop).isNotNull();
            return new Processor();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OfAConfiguration,         @Locked at io.belay.spring.EarlyBeansTest$Orders.sell",
        "OfAFactoryPostProcessor,  @LeaderOnly at io.belay.spring.EarlyBeansTest$Reports.write",
        "OfARegistryPostProcessor, @Locked at io.belay.spring.EarlyBeansTest$Orders.sell",
        "OfARepository,            @Locked at io.belay.spring.LockedShapesTest$Shop."
    })
    void oneThatWouldRunWithoutItsLockFailsTheStart(String configuration, String method) throws Exception {
        Class<?> made = Class.forName(EarlyBeansTest.class.getName() + "$" + configuration);
        assertThatThrownBy(() ->
                        Applications.of(LockedShapesTest.Client.class, made).close())
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(method)
                .hasMessageContaining(" has no effect: its bean '")
                .hasMessageContaining("make the @Bean method of that one static");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class OfAStaticMethod {
        OfAStaticMethod(Orders orders) {
            assertThat(orders).isNotNull();
        }

        @Bean
        static Processor processor() {
            return new Processor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class OfALazyOne {
        @Bean
        static Processor processor(@Lazy Orders orders) {
            assertThat(orders).isNotNull();
            return new Processor();
        }
    }

    /** Spring makes one without an order when those with one are there. */
    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class OfOneWithoutAnOrder {
        @Bean
        static BeanPostProcessor processor(Orders orders) {
            assertThat(orders).isNotNull();
            return new BeanPostProcessor() {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAScope {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        static Orders orders() {
            return new Orders();
        }

        @Bean
        static Processor processor(Orders orders) {
            assertThat(orders).isNotNull();
            return new Processor();
        }
    }

    /** A factory is made early where somebody asks what it makes. */
    @Configuration(proxyBeanMethods = false)
    static class OfAFactory {
        @Bean
        static FactoryBean<Orders> orders() {
            return new FactoryBean<>() {
                @Override
                public Orders getObject() {
                    return new Orders();
                }

                @Override
                public Class<?> getObjectType() {
                    return Orders.class;
                }
            };
        }

        @Bean
        static BeanFactoryPostProcessor processor() {
            return beans -> assertThat(beans.getBean("&orders")).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfAStaticMethod.class,
                OfALazyOne.class,
                OfOneWithoutAnOrder.class,
                OfAScope.class,
                OfAFactory.class
            })
    void oneThatIsMadeInTimeTakesItsLock(Class<?> configuration) {
        try (AnnotationConfigApplicationContext context =
                Applications.of(LockedShapesTest.Client.class, configuration)) {
            assertThat(context.getBean(Orders.class).sell()).containsExactly("x");
        }
    }

    /** Spring does not make it, nor does anybody put anything before it: such as a mock of a test. */
    @Test
    void oneThatIsRegisteredAsItIsIsLeftAlone() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(LockedShapesTest.Client.class, OfAConfiguration.class);
            context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton(Orders.class.getName(), new Orders()));
            context.refresh();
            assertThat(context.getBean(Orders.class).sell()).isEmpty();
        }
    }
}
