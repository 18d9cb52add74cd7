package io.belay.spring;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapperImpl;
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
        Map<String, PlatformTransactionManager> managers = managers(factory);
        managers.forEach((name, manager) -> {
            guard(manager, name);
            tellIfUnfenced(manager, name);
        });
        tellIfNoneIsFenced(managers.values());
        for (BeanFactory above = factory.getParentBeanFactory();
                above instanceof ConfigurableListableBeanFactory its;
                above = its.getParentBeanFactory()) {
            managers(its).forEach(this::tellIfUnguarded);
        }
    }

    private static Map<String, PlatformTransactionManager> managers(ConfigurableListableBeanFactory factory) {
        Map<String, PlatformTransactionManager> managers = new LinkedHashMap<>();
        for (String name : factory.getBeanNamesForType(PlatformTransactionManager.class, false, false)) {
            if (factory.containsSingleton(name)) {
                managers.put(name, factory.getBean(name, PlatformTransactionManager.class));
            }
        }
        return managers;
    }

    /** One of a parent context may outlive this one: its guard is to be that context's own. */
    private void tellIfUnguarded(String name, PlatformTransactionManager manager) {
        if (manager instanceof ConfigurableTransactionManager telling
                && telling.getTransactionExecutionListeners().stream().noneMatch(TransactionGuard.class::isInstance)) {
            tellUnguarded(manager, name, "it is of a parent context, which has no @EnableLocked");
        }
    }

    /**
     * A router, or a proxy of another class, may lead to the database of the fence: nothing tells so. A manager of JPA has no source where
     * the persistence unit itself says how to connect.
     */
    private void tellIfNoneIsFenced(Collection<PlatformTransactionManager> managers) {
        List<BeanWrapperImpl> telling = managers.stream()
                .map(BeanWrapperImpl::new)
                .filter(manager -> manager.isReadableProperty("dataSource"))
                .toList();
        List<DataSource> theirs = telling.stream()
                .flatMap(manager -> Stream.ofNullable(manager.getPropertyValue("dataSource")))
                .filter(DataSource.class::isInstance)
                .map(DataSource.class::cast)
                .toList();
        if (!telling.isEmpty()
                && fences().stream()
                        .anyMatch(fence -> fence instanceof JdbcTransactionFence its
                                && theirs.stream().noneMatch(its::isOf))) {
            LOG.warn("No transaction is fenced by a JdbcTransactionFence whose DataSource is none of those of the"
                    + " transaction managers, nor a LazyConnectionDataSourceProxy or TransactionAwareDataSourceProxy"
                    + " for one: give it the DataSource that the manager of the transactions has, also where both lead"
                    + " to the same database");
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
            tellUnguarded(manager, name, "it tells no listener");
        }
    }

    private static void tellUnguarded(PlatformTransactionManager manager, String name, String why) {
        LOG.warn(
                "Of the transaction manager '{}' ({}) only transactions of methods that are @Locked themselves are"
                        + " looked at before they commit: {}",
                name,
                manager.getClass().getName(),
                why);
    }
}
