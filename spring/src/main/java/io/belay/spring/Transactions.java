package io.belay.spring;

import io.belay.Lease;
import io.belay.spring.Locked.InTransaction;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** The transaction of the calling thread, where Spring's transactions are on the class path. */
final class Transactions {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** Returns whether the thread is inside a transaction. */
    static boolean isActive() {
        return PRESENT && Active.now();
    }

    /** Returns whether there are any in the application. */
    static boolean arePresent() {
        return PRESENT;
    }

    /**
     * Returns whether a call is inside a transaction that would end after its lock: none that is about to end already, nor one
     * that the called method has set aside for its own.
     */
    static boolean areAround(MethodInvocation call, String title) {
        if (!isActive()) {
            return false;
        }
        Propagation own = Active.own(call);
        if (own == Propagation.REQUIRES_NEW) {
            return false;
        } else if (!TransactionGuard.isEnding()) {
            return true;
        } else if (own == null || own == Propagation.NOT_SUPPORTED) {
            return false;
        }
        throw new IllegalStateException(
                title + " was called when its caller's transaction had been committed or rolled back,"
                        + " and would write into that: give it one of its own (propagation = REQUIRES_NEW)");
    }

    /** Returns whether a call begins a transaction of its own, whatever is around it. */
    static boolean areItsOwn(MethodInvocation call) {
        return PRESENT && Active.own(call) == Propagation.REQUIRES_NEW;
    }

    /** Returns the kinds of the entities that a call finds as they were read before it, in order. */
    static Set<String> entitiesRead(MethodInvocation call) {
        return PRESENT ? Active.entitiesRead(call) : Set.of();
    }

    /** Returns whether an advice is the one that begins and ends transactions. */
    static boolean isAdvice(Advice advice) {
        return PRESENT && Active.isAdvice(advice);
    }

    /**
     * Returns the manager by which a method of that class begins a transaction, if that is a blocking one; null if it begins none, or
     * nobody knows by which.
     */
    static @Nullable Object blockingManager(ConfigurableBeanFactory beans, Method method, Class<?> type) {
        return PRESENT ? Active.blockingManager(beans, method, type) : null;
    }

    /** Has the body of a method begin only if the transaction around it is tied to the locks that the call holds. */
    static void guard(HeldLocks held, Method method, Supplier<List<TransactionFence>> fences) {
        if (TransactionGuard.isEnding()) {
            return; // nothing of the body is in it
        }
        boolean watched = TransactionGuard.isThere();
        if (!watched || held.isInside()) {
            List<Lease> fenced = held.fenced();
            if (!fenced.isEmpty() && !Active.readsOnly()) {
                fences.get().forEach(fence -> fence.raise(fenced));
            }
        }
        if (watched) {
            TransactionGuard.check();
            if (held.isInside()) {
                TransactionGuard.tie(held);
            }
        } else {
            Active.tie(held);
        }
        held.inTransaction(method);
    }

    /** Has something done when the transaction has ended, however it did. */
    static void atEnd(Runnable then) {
        Active.atEnd(then);
    }

    /** Refuses a lock inside of a transaction that would outlive it. */
    static IllegalStateException refusal(String method) {
        return new IllegalStateException(
                method + " is @Locked and was called inside a transaction, which would commit after"
                        + " the lock is given back: put @Locked on the method that begins the transaction, give this one a"
                        + " transaction of its own (propagation = REQUIRES_NEW), or say inTransaction = "
                        + InTransaction.HOLD_UNTIL_COMPLETION);
    }

    /** The part that needs Spring's transactions, in a class that is loaded only where they are. */
    private static final class Active {
        static boolean now() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        static boolean isAdvice(Advice advice) {
            return advice instanceof TransactionInterceptor;
        }

        /**
         * Returns how the called method begins a transaction by the proxy that it is called through, or by one behind that, as Spring Data's
         * repositories have; null if it does not.
         */
        static @Nullable Propagation own(MethodInvocation call) {
            Object bean = call instanceof ProxyMethodInvocation through ? through.getProxy() : null;
            while (bean instanceof Advised proxy) {
                Class<?> type = proxy.getTargetClass();
                for (Advisor advisor : proxy.getAdvisors()) {
                    TransactionAttributeSource source =
                            advisor.getAdvice() instanceof TransactionInterceptor interceptor
                                    ? interceptor.getTransactionAttributeSource()
                                    : null;
                    TransactionAttribute attribute =
                            source == null ? null : source.getTransactionAttribute(call.getMethod(), type);
                    if (attribute != null) {
                        return propagation(attribute.getPropagationBehavior());
                    }
                }
                bean = AopProxyUtils.getSingletonTarget(bean);
            }
            return null;
        }

        static @Nullable Object blockingManager(ConfigurableBeanFactory beans, Method method, Class<?> type) {
            return beans.getBeanProvider(TransactionInterceptor.class).stream()
                    .<@Nullable Object>map(interceptor -> new Determining(beans, interceptor).manager(method, type))
                    .filter(manager -> manager instanceof PlatformTransactionManager
                            && !(manager instanceof ReactiveTransactionManager))
                    .findFirst()
                    .orElse(null);
        }

        private static Propagation propagation(int number) {
            return Arrays.stream(Propagation.values())
                    .filter(one -> one.value() == number)
                    .findFirst()
                    .orElse(Propagation.REQUIRED);
        }

        static Set<String> entitiesRead(MethodInvocation call) {
            return TransactionSynchronizationManager.getResourceMap().isEmpty()
                    ? Set.of()
                    : EntityManagers.kinds(now() && own(call) == Propagation.REQUIRES_NEW);
        }

        static boolean readsOnly() {
            return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        }

        static void tie(HeldLocks held) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    held.ensureHeld();
                }

                @Override
                public void afterCompletion(int status) {
                    held.ends(status == STATUS_COMMITTED);
                }
            });
        }

        static void atEnd(Runnable then) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    then.run();
                }
            });
        }
    }

    /** Determines the managers of transactions as Spring does, which keeps that to itself. */
    private static final class Determining extends TransactionAspectSupport {
        /** Those that begin no transaction where there is none. */
        private static final Set<Propagation> NONE =
                EnumSet.of(Propagation.SUPPORTS, Propagation.NOT_SUPPORTED, Propagation.NEVER);

        private final @Nullable TransactionAttributeSource source;

        Determining(ConfigurableBeanFactory beans, TransactionInterceptor interceptor) {
            source = interceptor.getTransactionAttributeSource();
            setBeanFactory(beans);
            setTransactionManager(interceptor.getTransactionManager());
        }

        @Nullable
        Object manager(Method method, Class<?> type) {
            TransactionAttribute attribute = source == null ? null : source.getTransactionAttribute(method, type);
            if (attribute == null || NONE.contains(Active.propagation(attribute.getPropagationBehavior()))) {
                return null;
            }
            try {
                return determineTransactionManager(attribute, type);
            } catch (BeansException e) {
                return null; // each call will say so
            }
        }
    }
}
