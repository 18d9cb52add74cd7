package io.belay.spring;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.LockOptions;
import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Otherwise;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.EvaluationContext;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;

/** A method with {@link Locked}, read once. Thread-safe. */
final class LockedMethod {
    private final ConfigurableBeanFactory beans;
    private final Method method;
    private final Locked locked;
    private final Belay belay;
    private final List<NameTemplate> templates;
    private final Duration wait;
    private final LockOptions options;
    private final List<LockDecorator> decorators;

    LockedMethod(ConfigurableBeanFactory beans, Method method, Locked locked) {
        this.beans = beans;
        this.method = method;
        this.locked = locked;
        belay = belay(beans, locked.belay());
        decorators = beans.getBeanProvider(LockDecorator.class).orderedStream().toList();
        templates = Arrays.stream(locked.value())
                .map(name -> new NameTemplate(resolved(name)))
                .toList();
        LockedDefaults defaults = beans.getBeanProvider(LockedDefaults.class).getIfAvailable(LockedDefaults::standard);
        wait = duration("longestWait", locked.longestWait()).orElse(defaults.longestWait());
        LockOptions chosen = duration("lease", locked.lease())
                .map(defaults.options()::withLease)
                .orElse(defaults.options());
        options = duration("maxHold", locked.maxHold()).map(chosen::withMaxHold).orElse(chosen);
    }

    static Belay belay(ConfigurableBeanFactory beans, String name) {
        return name.isEmpty() ? beans.getBean(Belay.class) : beans.getBean(name, Belay.class);
    }

    private String resolved(String text) {
        String value = beans.resolveEmbeddedValue(text);
        return value == null ? "" : value;
    }

    private Optional<Duration> duration(String attribute, String text) {
        String value = resolved(text);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(DurationFormatterUtils.detectAndParse(value));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "the " + attribute + " of @Locked at " + title() + " is no duration such as 5s: '" + value + "'",
                    e);
        }
    }

    /** Returns the method's name for people. */
    String title() {
        return ClassUtils.getQualifiedMethodName(method);
    }

    Duration longestWait() {
        return wait;
    }

    /** Returns the lock of that name, as the method takes it. */
    DistributedLock lock(LockName name) {
        DistributedLock lock = name.lock(options);
        for (LockDecorator decorator : decorators) {
            lock = decorator.decorate(lock);
        }
        return lock;
    }

    boolean holdsUntilCompletion() {
        return locked.inTransaction() == InTransaction.HOLD_UNTIL_COMPLETION;
    }

    /** Returns the locks that a call wants. */
    List<LockName> names(MethodInvocation call) {
        Object bean = call.getThis();
        EvaluationContext context = NameTemplate.context(beans, bean == null ? method : bean, method, call);
        return templates.stream()
                .flatMap(template -> template.names(context).stream())
                .distinct()
                .map(name -> new LockName(belay, name, locked.mode()))
                .toList();
    }

    /** Returns whether a call that does not get the lock is skipped. */
    boolean isSkipped() {
        return locked.otherwise() == Otherwise.SKIP;
    }

    /** Returns the result of a call that was skipped. */
    static @Nullable Object skipped(Method method) {
        return method.getReturnType() == Optional.class ? Optional.empty() : null;
    }
}
