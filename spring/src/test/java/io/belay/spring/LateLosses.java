package io.belay.spring;

import io.belay.DistributedLock;
import io.belay.Lease;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Locks whose leases tell nobody that they are lost, as if the telling came late: whoever looks still finds out. */
class LateLosses implements LockDecorator {
    @Override
    public DistributedLock decorate(DistributedLock lock) {
        return (DistributedLock) Proxy.newProxyInstance(
                LateLosses.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (proxy, method, arguments) -> changed(call(lock, method, arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object changed(Object result) {
        if (result instanceof CompletableFuture<?> future) {
            return future.thenApply(its -> changed((Object) its));
        } else if (result instanceof Optional<?> lease) {
            return lease.map(its -> changed((Object) its));
        }
        return result instanceof Lease lease ? changed(lease) : result;
    }

    /** Returns a lease that tells nobody that it is lost. */
    Lease changed(Lease lease) {
        return (Lease) Proxy.newProxyInstance(
                LateLosses.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) ->
                        method.getName().equals("onLost") ? proxy : call(lease, method, arguments));
    }
}
