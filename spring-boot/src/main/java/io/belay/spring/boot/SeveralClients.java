package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.support.Log;
import io.belay.support.LogName;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;

/** Tells at the start what is not there where the application has several clients, as each of that is of one. */
record SeveralClients(ListableBeanFactory beans) implements SmartInitializingSingleton {
    private static final Log LOG = Log.of(LogName.SPRING);

    /** True where no client is the one that is meant by default. */
    static final class NoneIsPrimary extends NoneNestedConditions {
        NoneIsPrimary() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        /** The opposite. */
        @ConditionalOnSingleCandidate(Belay.class)
        static final class One {}
    }

    @Override
    public void afterSingletonsInstantiated() {
        LOG.info(
                "There are several beans of the type Belay ({}) and none is @Primary: the endpoints 'locks' and 'belay', the meters"
                        + " and observations, and the locks of @SchedulerLock and of Spring Integration are not set up. Mark one"
                        + " @Primary, or make the beans of those that are wanted",
                String.join(
                        ", ", BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Belay.class, true, false)));
    }
}
