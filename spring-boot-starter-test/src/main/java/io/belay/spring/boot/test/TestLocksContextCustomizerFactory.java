package io.belay.spring.boot.test;

import io.belay.Belay;
import io.belay.spring.JoinPolicy;
import io.belay.spring.boot.BelayAutoConfiguration;
import io.belay.spring.boot.BelayConnectionDetails;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Puts the store in memory in place, before the auto-configuration looks for another. */
final class TestLocksContextCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureTestLocks annotation =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureTestLocks.class);
        return annotation == null ? null : new LocksInMemory(annotation.value());
    }

    /**
     * The change of a test's application context. Equal ones let tests share a context.
     *
     * @param name the name of the store; empty for one of the context's own
     */
    record LocksInMemory(String name) implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            String url = "memory:" + (name.isEmpty() ? UUID.randomUUID() : name);
            RootBeanDefinition details =
                    new RootBeanDefinition(BelayConnectionDetails.class, () -> BelayConnectionDetails.of(url));
            details.setPrimary(true);
            BeanDefinitionRegistry beans = (BeanDefinitionRegistry) context.getBeanFactory();
            beans.registerBeanDefinition("belayTestConnectionDetails", details);
            beans.registerBeanDefinition(
                    "belayTestTransactions",
                    new RootBeanDefinition(JoinPolicy.class, () -> TestTransactions::areAround));
            context.addBeanFactoryPostProcessor(factory -> replaceClients(factory, url));
        }

        /** Lets the application's own beans of the type {@link Belay} be clients of that store, and stay all else that they are. */
        private static void replaceClients(ConfigurableListableBeanFactory beans, String url) {
            for (String name : beans.getBeanNamesForType(Belay.class, true, false)) {
                if (!beans.containsBeanDefinition(name)) { // a client that was registered as it is
                    DefaultListableBeanFactory all = (DefaultListableBeanFactory) beans;
                    all.destroySingleton(name);
                    all.registerBeanDefinition(name, new RootBeanDefinition(Belay.class));
                }
                AbstractBeanDefinition client = (AbstractBeanDefinition) beans.getBeanDefinition(name);
                if (beans.isFactoryBean(name)) { // which would be asked for the client
                    client.setFactoryBeanName(null);
                    client.setFactoryMethodName(null);
                    client.setBeanClass(Belay.class);
                }
                if (!BelayAutoConfiguration.class.getName().equals(client.getFactoryBeanName())) {
                    client.setInstanceSupplier(() -> Belay.connect(url));
                }
            }
        }
    }
}
