package io.belay.spring;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Adds {@link TransactionGuard} to each transaction manager of the application, whoever has made it. */
final class TransactionPostProcessor implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {
    private static final Log LOG = Log.of(LogName.SPRING);

    private @Nullable ConfigurableListableBeanFactory beans;
    private final TransactionGuard guard = new TransactionGuard(this::fences);
    private final Set<String> deaf = ConcurrentHashMap.newKeySet();

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = (ConfigurableListableBeanFactory) beanFactory;
    }

    private List<TransactionFence> fences() {
        BeanFactory factory = beans;
        return factory == null
                ? List.of()
                : factory.getBeanProvider(TransactionFence.class)
                        .orderedStream()
                        .toList();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof PlatformTransactionManager manager) {
            guard(manager, beanName);
        }
        return bean;
    }

    /** Guards those, too, that were made before this was there, such as one that another post processor needs. */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory factory = Objects.requireNonNull(beans);
        for (String name : factory.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
            if (factory.containsSingleton(name)) {
                PlatformTransactionManager manager = factory.getBean(name, PlatformTransactionManager.class);
                guard(manager, name);
                tellIfUnfenced(manager, name);
            }
        }
    }

    private void tellIfUnfenced(PlatformTransactionManager manager, String name) {
        if (manager instanceof JtaTransactionManager
                && fences().stream().anyMatch(fence -> fence instanceof JdbcTransactionFence)) {
            LOG.warn(
                    "Transactions of the manager '{}' ({}) are looked at before they commit, and not fenced: those of"
                            + " JTA have no connection when they begin. Where that is not enough, raise a SqlFence by"
                            + " hand, as the first statement of the transaction",
                    name,
                    manager.getClass().getName());
        }
    }

    private void guard(PlatformTransactionManager manager, String name) {
        if (manager instanceof ConfigurableTransactionManager telling) {
            if (!telling.getTransactionExecutionListeners().contains(guard)) {
                telling.addListener(guard);
            }
        } else if (deaf.add(name)) {
            LOG.warn(
                    "Of the transaction manager '{}' ({}) only transactions of methods that are @Locked themselves are"
                            + " looked at before they commit: it tells no listener",
                    name,
                    manager.getClass().getName());
        }
    }
}
