package io.belay.spring;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * What is to be known of JPA's EntityManagers and Hibernate's sessions. They are asked by the names of their methods, as neither
 * need be on the class path.
 */
final class EntityManagers {
    private EntityManagers() {}

    /** Returns whether Hibernate was told to write what is flushed by hand alone, which JPA knows no mode for. */
    static boolean isFlushedByHand(Object transaction) {
        return "MANUAL".equals(String.valueOf(call(of(transaction), "getHibernateFlushMode")));
    }

    /** Returns the EntityManager of a transaction of JPA's manager or of Hibernate's; null if it has none. */
    static @Nullable Object of(Object transaction) {
        Object holder = call(transaction, "getEntityManagerHolder");
        return call(holder == null ? call(transaction, "getSessionHolder") : holder, "getEntityManager");
    }

    /**
     * Returns the kinds of the entities that the thread's EntityManagers have, in order; none of EntityManagers other than Hibernate's,
     * which do not tell.
     *
     * @param aside whether those of the thread's transaction are left out, as the called method sets it aside
     */
    static Set<String> kinds(boolean aside) {
        Set<String> kinds = new TreeSet<>();
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ResourceHolderSupport holder
                    && !(aside && holder.isSynchronizedWithTransaction())
                    && ReflectionUtils.findMethod(holder.getClass(), "getEntityManager") != null) {
                addKinds(holder, kinds);
            }
        }
        return kinds;
    }

    private static void addKinds(Object holder, Set<String> kinds) {
        try {
            // A proxy that Spring puts before a session need not have more methods than JPA's.
            Object session = call(call(holder, "getEntityManager"), "getDelegate");
            if (call(call(session, "getStatistics"), "getEntityKeys") instanceof Collection<?> keys) {
                keys.forEach(key -> kinds.add(String.valueOf(call(key, "getEntityName"))));
            }
        } catch (RuntimeException e) {
            // One that is closed tells nothing, and a call does not fail for a line of the log.
        }
    }

    /** Returns what a method without parameters returns, of a class that need not be there; null if there is no such method. */
    static @Nullable Object call(@Nullable Object of, String name) {
        Method method = of == null ? null : ReflectionUtils.findMethod(of.getClass(), name);
        if (method == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(method);
        return ReflectionUtils.invokeMethod(method, of);
    }
}
