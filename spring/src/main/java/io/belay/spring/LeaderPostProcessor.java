package io.belay.spring;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.spring.Locked.Mode;
import io.belay.spring.Locked.Otherwise;
import io.belay.support.NameRules;
import io.belay.support.OneLine;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/** Puts a check around the {@link LeaderOnly} methods of beans, and has their elections entered. */
final class LeaderPostProcessor extends AnnotationPostProcessor
        implements MethodInterceptor, SmartInitializingSingleton {
    private static final long serialVersionUID = 1;

    private final transient Leaderships leaderships;
    /** The checks of clients, which are to wait for all singletons. */
    private final transient Queue<Runnable> later = new ConcurrentLinkedQueue<>();

    /** The names as they were when their elections were entered, by what annotations say: a property in one may change since. */
    private final transient Map<String, String> names = new ConcurrentHashMap<>();

    private volatile boolean singletonsAreThere;

    LeaderPostProcessor(Leaderships leaderships) {
        super(LeaderOnly.class, true);
        this.leaderships = leaderships;
        advise(annotated(LeaderOnly.class), this);
    }

    @Override
    void found(Method method, Class<?> type) {
        if (!singletonsAreThere) {
            later.add(() -> found(method, type));
        }
        LeaderOnly annotation = annotation(method, type);
        try {
            Leaderships.Key key = key(annotation);
            NameRules.check("its name", "", key.name());
            if (singletonsAreThere) {
                var unused = LockedMethod.checkClient(beans(), key.belay());
            }
            leaderships.add(key, why -> MethodChecks.refusal(method, annotation, why));
        } catch (IllegalArgumentException e) {
            throw MethodChecks.refusal(method, annotation, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        singletonsAreThere = true;
        later.forEach(Runnable::run);
        later.clear();
    }

    private Leaderships.Key key(LeaderOnly annotation) {
        return new Leaderships.Key(
                annotation.belay(),
                names.computeIfAbsent(annotation.value(), text -> LockedMethod.resolved(beans(), text)));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Method called = call.getMethod();
        Class<?> type = type(call);
        LeaderOnly annotation = annotation(called, type);
        Leaderships.Key key = key(annotation);
        Optional<Lease> leads = leaderships.lease(key);
        if (leads.isPresent()) {
            Belay belay = LockedMethod.belay(beans(), annotation.belay());
            HeldLocks held = new HeldLocks(
                    List.of(new LockName(belay, key.name(), Mode.EXCLUSIVE)), List.of(leads.get()), call.getMethod());
            if (Transactions.isActive() && !Transactions.areItsOwn(call)) {
                held.beginInside();
            } else {
                held.begin();
            }
            try {
                Object result = call.proceed();
                checkIsThere(call, result);
                if (!held.endsByCommit()) {
                    held.ensureHeld(); // else the transaction has looked, and has committed since
                }
                return result;
            } finally {
                held.end(); // and is not over: the lead goes on, and those who rely on it look at it
            }
        } else if (annotation.otherwise() == Otherwise.SKIP) {
            leaderships.skipped(key, called);
            return LockedMethod.skipped(Results.returned(called, type));
        }
        throw new NotLeaderException(call.getMethod().getName() + " was not called: this process does not lead '"
                + key.name() + "'" + OneLine.printable(leaderships.leader(key)));
    }

    /** The declared type may not have told that the result comes later. */
    private static void checkIsThere(MethodInvocation call, @Nullable Object result) {
        if (result != null && Results.isLater(result.getClass())) {
            throw new IllegalStateException(ClassUtils.getQualifiedMethodName(call.getMethod())
                    + " is @LeaderOnly and returned a " + result.getClass().getName()
                    + ", which may be made when another process leads: return what is done");
        }
    }

    private static LeaderOnly annotation(Method method, Class<?> type) {
        return AnnotatedMethods.find(method, type, LeaderOnly.class).synthesize();
    }
}
