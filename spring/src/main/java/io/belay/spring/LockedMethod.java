package io.belay.spring;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.DeadlockPolicy;
import io.belay.DistributedLock;
import io.belay.LockOptions;
import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Otherwise;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.EvaluationContext;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * A method with {@link Locked}, read once: what it says when its bean is made, and the beans that it needs at the first call or, if
 * that is later, once all singletons are there. Thread-safe.
 */
final class LockedMethod {
    private static final Log LOG = Log.of(LogName.SPRING);

    private final ConfigurableBeanFactory beans;
    private final Method method;
    /** The method that bears the annotation, whose parameters the names are made of. */
    private final Method named;

    /** The bean's class. */
    private final Class<?> type;

    /** The class of what the method returns in the bean's class. */
    private final Class<?> returned;

    private final Locked locked;
    private final boolean unguarded;
    private final BooleanSupplier ended;
    private final List<NameTemplate> templates;
    private final Optional<Duration> wait;
    private final Function<LockOptions, LockOptions> changes;
    private final SingletonSupplier<Belay> belay;
    private final SingletonSupplier<List<LockDecorator>> decorators;
    private final SingletonSupplier<LockedDefaults> defaults;
    private final SingletonSupplier<LockOptions> options;
    private final AtomicBoolean hasToldOfEarlyReads = new AtomicBoolean();

    /**
     * Reads what the annotation says.
     *
     * @param ended tells if the application has ended, so that nobody would close a client that is made
     * @throws IllegalStateException if the annotation says what cannot be
     */
    LockedMethod(
            ConfigurableBeanFactory beans,
            Method method,
            Class<?> type,
            MergedAnnotation<Locked> annotation,
            boolean unguarded,
            BooleanSupplier ended) {
        this.beans = beans;
        this.method = method;
        this.type = type;
        returned = Results.returned(method, type);
        named = annotation.getSource() instanceof Method bears ? bears : method;
        locked = annotation.synthesize();
        this.unguarded = unguarded;
        this.ended = ended;
        if (locked.value().length == 0) {
            throw refusal("it names no lock");
        }
        templates =
                Arrays.stream(locked.value()).map(name -> template(name, type)).toList();
        wait = duration("longestWait", locked.longestWait());
        if (wait.filter(Duration::isNegative).isPresent()) {
            throw refusal("its longestWait is negative: '" + locked.longestWait() + "'");
        }
        changes = changed("lease", locked.lease(), LockOptions::withLease)
                .andThen(changed("maxHold", locked.maxHold(), LockOptions::withMaxHold))
                .andThen(changed("atLeast", locked.atLeast(), LockOptions::withAtLeast));
        apply(LockOptions.defaults());
        belay = SingletonSupplier.of(this::client);
        decorators = SingletonSupplier.of(
                () -> beans.getBeanProvider(LockDecorator.class).orderedStream().toList());
        defaults = SingletonSupplier.of(this::defaults);
        options = SingletonSupplier.of(this::options);
    }

    private Belay client() {
        if (ended.getAsBoolean()) { // of a lazy client there may be none yet
            throw new ClientClosedException(title() + " was not called: the application has ended", null);
        }
        try {
            return belay(beans, locked.belay());
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the client of that name; of any name if it is empty.
     *
     * @throws IllegalArgumentException if there are several, and nothing says which
     */
    static Belay belay(ConfigurableBeanFactory beans, String name) {
        try {
            return name.isEmpty() ? beans.getBean(Belay.class) : beans.getBean(name, Belay.class);
        } catch (NoUniqueBeanDefinitionException e) {
            throw new IllegalArgumentException(
                    "there are several beans of the type Belay, name one by belay = \"...\": " + e.getMessage(), e);
        }
    }

    private NameTemplate template(String name, Class<?> type) {
        String text;
        try {
            text = resolved(beans, name);
        } catch (IllegalArgumentException e) {
            throw refusal(e.getMessage() + NameTemplate.cure(name, named));
        }
        try {
            return new NameTemplate(text, named, type);
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private String resolved(String text) {
        try {
            return resolved(beans, text);
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns a text with its properties.
     *
     * @throws IllegalArgumentException if one is not there
     */
    static String resolved(ConfigurableBeanFactory beans, String text) {
        String value = beans.resolveEmbeddedValue(text);
        if (value != null && value.contains("${")) {
            throw new IllegalArgumentException("there is no property for '" + value + "'");
        }
        return value == null ? "" : value;
    }

    private Optional<Duration> duration(String attribute, String text) {
        String value = resolved(text);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (value.matches("[+-]?[0-9]*[1-9][0-9]*")) { // which would be milliseconds
            throw refusal("its " + attribute + " has no unit: write " + value + "ms or " + value + "s");
        }
        try {
            return Optional.of(DurationFormatterUtils.detectAndParse(value));
        } catch (IllegalArgumentException e) {
            throw refusal("its " + attribute + " is no duration such as 5s: '" + value + "'");
        }
    }

    private Function<LockOptions, LockOptions> changed(
            String attribute, String text, BiFunction<LockOptions, Duration, LockOptions> with) {
        return duration(attribute, text)
                .<Function<LockOptions, LockOptions>>map(value -> options -> with.apply(options, value))
                .orElse(Function.identity());
    }

    /**
     * Returns the options, by which a wait that would never end throws unless they say otherwise. A wait for a future's lock ends
     * by itself: that is given back by whoever completes the future.
     */
    private LockOptions breaking(LockOptions given) {
        return given.deadlock().isPresent()
                ? given
                : given.withDeadlock(Results.isFuture(returned) ? DeadlockPolicy.REPORT : DeadlockPolicy.THROW);
    }

    private LockOptions apply(LockOptions given) {
        try {
            return changes.apply(given);
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the options that hold where the annotation says nothing, with what it says. */
    private LockOptions options() {
        LockOptions given = defaults.obtain().options();
        Belay client = belay.obtain();
        if (given == null && isMock(client)) {
            throw new IllegalStateException(title() + " was not called: " + mock(client));
        }
        return apply(breaking(given == null ? client.lockDefaults() : given));
    }

    /** Returns whether a client answers nothing, as a mock in an application's test. */
    static boolean isMock(Belay client) {
        return client.lockDefaults() == null;
    }

    /** Returns what to say of such a client. */
    static String mock(Belay client) {
        return "the client is a mock (" + client.getClass().getName() + "), and gives no locks: take"
                + " @AutoConfigureTestLocks instead, which has them in memory";
    }

    private LockedDefaults defaults() {
        try {
            return beans.getBeanProvider(LockedDefaults.class).getIfAvailable(LockedDefaults::standard);
        } catch (NoUniqueBeanDefinitionException e) {
            throw refusal("there are several beans of the type LockedDefaults: " + e.getMessage());
        }
    }

    private IllegalStateException refusal(String why) {
        return MethodChecks.refusal(method, locked, why);
    }

    /**
     * Looks for the beans that the annotation names, and makes none of them; and for the settings, which are made. A client that
     * is there is kept: asked for by the first call when the application has ended, Spring would make another, which nobody closes.
     *
     * @throws IllegalStateException if one is not there, or there are several settings
     */
    void checkBeans() {
        try {
            if (checkClient(beans, locked.belay())) {
                var unused = belay.obtain();
                var alsoUnused = decorators.obtain();
            }
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
        for (NameTemplate template : templates) {
            for (String bean : template.beans()) {
                if (!beans.containsBean(bean)) {
                    throw refusal("the name '" + template + "' is made of the bean '" + bean + "', which is not there");
                }
            }
        }
        var unused = defaults.obtain(); // else each call would fail by what is wrong with them
        tellOfBlockingTransaction();
    }

    private void tellOfBlockingTransaction() {
        Object manager =
                Results.isReactive(method, returned) ? Transactions.blockingManager(beans, method, type) : null;
        if (manager != null) {
            LOG.warn(
                    "{} is @Locked and @Transactional, and does its work when it is subscribed to, while its transaction"
                            + " manager ({}) is a blocking one: Spring commits before that, and no transaction is around what"
                            + " it does. Put both on a blocking method of another bean, and call that from this one, or give"
                            + " it a reactive manager",
                    title(),
                    manager.getClass().getName());
        }
    }

    /**
     * Looks for the client of that name, or of any name if it is empty, and makes none. Returns whether it has been made; if there are
     * several, whether all have.
     *
     * @throws IllegalArgumentException if it is not there, or there are several, which have been made
     */
    static boolean checkClient(ConfigurableBeanFactory beans, String name) {
        if (!name.isEmpty()) {
            if (!beans.containsBean(name) || !beans.isTypeMatch(name, Belay.class)) {
                throw new IllegalArgumentException("there is no bean '" + name + "' of the type Belay");
            }
            return isThere(beans, name);
        } else if (beans instanceof ListableBeanFactory all) {
            String[] clients = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(all, Belay.class);
            if (clients.length == 0) {
                throw new IllegalArgumentException("there is no bean of the type Belay");
            }
            boolean areThere = Arrays.stream(clients).allMatch(client -> isThere(beans, client));
            if (areThere && clients.length > 1) {
                var unused = belay(beans, name);
            }
            return areThere;
        }
        return false;
    }

    private static boolean isThere(ConfigurableBeanFactory beans, String name) {
        return beans.containsLocalBean(name)
                ? beans.containsSingleton(name)
                : beans.getParentBeanFactory() instanceof ConfigurableBeanFactory around && isThere(around, name);
    }

    /** Returns the method's name for people. */
    String title() {
        return ClassUtils.getQualifiedMethodName(method);
    }

    /** Returns how long to wait: as the annotation says, or else as the settings do. */
    Duration longestWait() {
        return wait.orElseGet(
                () -> isSkipped() ? Duration.ZERO : defaults.obtain().longestWait());
    }

    /** Returns the lock of that name, as the method takes it. */
    DistributedLock lock(LockName name) {
        DistributedLock lock = name.lock(options.obtain());
        for (LockDecorator decorator : decorators.obtain()) {
            lock = decorator.decorate(lock);
        }
        return lock;
    }

    /** Returns whether the lock of a call inside of the thread's transaction is held until that has ended. */
    boolean holdsUntilCompletion() {
        return locked.inTransaction() == InTransaction.HOLD_UNTIL_COMPLETION
                || beans.getBeanProvider(JoinPolicy.class).stream().anyMatch(JoinPolicy::joins);
    }

    /** Returns the locks that a call wants. */
    List<LockName> names(MethodInvocation call) {
        Object bean = call.getThis();
        EvaluationContext context = NameTemplate.context(beans, bean == null ? method : bean, named, call);
        return templates.stream()
                .flatMap(template -> template.names(context).stream())
                .distinct()
                .map(this::lockNamed)
                .toList();
    }

    /** Returns the lock of a name. What is in one often comes from outside: one that the client refuses is told with the method. */
    private LockName lockNamed(String name) {
        LockName lock = new LockName(belay.obtain(), name, locked.mode());
        try {
            var unused = lock.whole();
        } catch (IllegalArgumentException e) {
            String texts = templates.stream().map(NameTemplate::toString).collect(Collectors.joining("' or '"));
            throw new IllegalArgumentException(
                    "the lock's name '" + texts + "' of " + title() + " cannot be made: " + e.getMessage(), e);
        }
        return lock;
    }

    /** Tells, once, where a call finds entities as they were before its lock, whoever has changed them until that is had. */
    void lookForEarlyReads(MethodInvocation call) {
        if (hasToldOfEarlyReads.get()) {
            return;
        }
        Set<String> kinds = Transactions.entitiesRead(call);
        if (!kinds.isEmpty() && hasToldOfEarlyReads.compareAndSet(false, true)) {
            LOG.warn(
                    "{} is @Locked and was called on a thread whose EntityManager had read entities already ({}): under the"
                            + " lock it serves them as they were before, also to queries. Read them under the lock alone (with"
                            + " spring.jpa.open-in-view=false where a web request had read them), or once more under it by"
                            + " EntityManager.refresh",
                    title(),
                    String.join(", ", kinds));
        }
    }

    /** Returns whether it is {@link Unguarded}, too. */
    boolean isUnguarded() {
        return unguarded;
    }

    /** Returns whether a call that does not get the lock is skipped. */
    boolean isSkipped() {
        return locked.otherwise() == Otherwise.SKIP;
    }

    /** Returns what the method returns in the bean's class. */
    Class<?> returned() {
        return returned;
    }

    /** Returns the result of a call that was skipped, of a method that returns that class. */
    static @Nullable Object skipped(Class<?> returned) {
        return returned == Optional.class ? Optional.empty() : null;
    }
}
