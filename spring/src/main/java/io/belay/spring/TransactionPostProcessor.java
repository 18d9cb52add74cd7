package io.belay.spring;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Adds {@link TransactionGuard} to each transaction manager of the application, whoever has made it. */
final class TransactionPostProcessor implements BeanPostProcessor, BeanFactoryAware {
    private static final Log LOG = Log.of(LogName.SPRING);

    private @Nullable BeanFactory beans;
    private final TransactionGuard guard = new TransactionGuard(this::fences);

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = beanFactory;
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
        if (!(bean instanceof PlatformTransactionManager)) {
            return bean;
        }
        if (!(bean instanceof ConfigurableTransactionManager manager)) {
            LOG.warn(
                    "Of the transaction manager '{}' ({}) only transactions of methods that are @Locked themselves are"
                            + " looked at before they commit: it tells no listener",
                    beanName,
                    bean.getClass().getName());
        } else if (!manager.getTransactionExecutionListeners().contains(guard)) {
            manager.addListener(guard);
        }
        return bean;
    }
}
