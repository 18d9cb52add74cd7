package io.belay.spring;

import io.belay.spring.ShopApplication.Kind;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The shapes of transactions under a lock, by their titles in the page on Spring. */
final class Shapes {
    private final Map<String, Shape> all = new LinkedHashMap<>();

    /** A way to sell a piece under a lock of that name. */
    record Shape(String lock, Call call, Set<Kind> kinds) {
        boolean isFor(Kind kind) {
            return kinds.contains(kind);
        }
    }

    /** The call of a shape. */
    @FunctionalInterface
    interface Call {
        void of(Shop shop, ApplicationContext application) throws Exception;
    }

    private void add(String title, Call call) {
        add(title, "shop", call);
    }

    private void add(String title, String lock, Call call) {
        all.put(title, new Shape(lock, call, EnumSet.allOf(Kind.class)));
    }

    private static void transact(ApplicationContext application, Runnable body) {
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> body.run());
    }

    /** Returns all, in the page's order. */
    static Map<String, Shape> all() {
        Shapes shapes = new Shapes();
        shapes.begun();
        shapes.lost();
        shapes.locks();
        shapes.callers();
        shapes.elsewhere();
        return shapes.all;
    }

    private void begun() {
        add("a method that is `@Locked @Transactional`", (shop, application) -> shop.alone());
        add("a `@Transactional` method of another bean", (shop, application) -> shop.facade());
        add("one that has `REQUIRES_NEW`, inside of a transaction", (shop, application) -> shop.requiresNew());
        add("one that has `NESTED`: a savepoint", (shop, application) -> shop.nested());
        add("one that has `MANDATORY`", (shop, application) -> shop.mandatory());
        add("one that has `SUPPORTS`", (shop, application) -> shop.supports());
        add("one that has `SUPPORTS`, without a transaction", (shop, application) -> shop.supportsNothing());
        add("one that has `NOT_SUPPORTED`", (shop, application) -> shop.notSupported());
        add("one that has `NEVER`", (shop, application) -> shop.never());
        add("a method without `@Transactional`, or past its proxy", (shop, application) -> shop.without());
        add("a `TransactionTemplate`", (shop, application) -> shop.template());
        add("a transaction of `PlatformTransactionManager`, by hand", (shop, application) -> shop.byHand());
        add("a transaction of `Connection` or `EntityTransaction`, by hand", (shop, application) -> shop.pastSpring());
        add(
                "a transaction that AspectJ has woven in",
                (shop, application) -> shop.work(() -> {
                    try {
                        Woven.transact(application.getBean(PlatformTransactionManager.class), shop::sell);
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }));
        add("one that is `readOnly`", (shop, application) -> shop.readOnly());
    }

    private void lost() {
        add("`TransactionSynchronization.beforeCommit`", (shop, application) -> shop.inSynchronization());
        add(
                "a `@TransactionalEventListener` before the commit",
                (shop, application) -> shop.work(() -> transact(application, () -> {
                    application.getBean(Ledger.class).write();
                    application.publishEvent(new Shop.Sold(false, shop.point()));
                })));
        all.put("a flush of JPA", new Shape("shop", (shop, application) -> shop.inFlush(), EnumSet.of(Kind.JPA)));
        add("a method that then throws a checked exception", (shop, application) -> shop.checked());
        add("the moment between the last look and `COMMIT`", (shop, application) -> shop.afterLook());
        add(
                "one that has `REQUIRES_NEW`, begun in `TransactionSynchronization.afterCommit`",
                (shop, application) -> shop.inAfterCommit());
        add("what comes after the last commit", (shop, application) -> shop.afterCommit());
        add("what comes before an `@Unguarded` method", (shop, application) -> shop.audit());
    }

    private void locks() {
        add("a method with `mode = READ`", "shelf", (shop, application) -> shop.reading());
        add("a method with several locks, which loses one", (shop, application) -> shop.both());
        add("a method with a lock inside of another, which is lost", (shop, application) -> shop.outer(shop));
        add("a method with the same lock again, and `REQUIRES_NEW`", (shop, application) -> shop.again(shop));
        add("a method that is `@LeaderOnly @Transactional`", "shops", (shop, application) -> shop.leading());
        add(
                "a method that is `@LeaderOnly`, inside of its caller's transaction",
                "shops",
                (shop, application) -> transact(application, shop::leadingInside));
    }

    private void callers() {
        add(
                "a locked method inside of its caller's transaction",
                (shop, application) -> transact(application, shop::alone));
        add("one that has `HOLD_UNTIL_COMPLETION`", (shop, application) -> transact(application, shop::held));
        add("one that has `REQUIRES_NEW` itself", (shop, application) -> transact(application, shop::apart));
        add(
                "one that is a `@TransactionalEventListener` after the commit",
                (shop, application) ->
                        transact(application, () -> application.publishEvent(new Shop.Sold(true, shop.point()))));
    }

    private void elsewhere() {
        add("a method that is `@Scheduled @Locked @Transactional`", (shop, application) -> scheduled(application));
        add(
                "a method that is `@Async @Locked @Transactional`",
                (shop, application) -> shop.elsewhere().join());
        add("an `@Async` method that a locked one calls", (shop, application) -> shop.handedOver());
        add(
                "the future of a locked method, on another thread",
                (shop, application) -> shop.later().join());
        add(
                "a blocking `@Transactional` method that a reactive or suspending one calls",
                (shop, application) -> shop.reactive().block());
        add(
                "a reactive or suspending method that is `@Locked @Transactional` itself, of a blocking manager",
                (shop, application) -> shop.subscribed().block());
        add("a transaction of another data source", (shop, application) -> shop.second());
        add("the moment between the commits of two data sources", (shop, application) -> shop.betweenTwo());
        add(
                "a method that is `@Locked @Transactional`, of a manager without listeners",
                (shop, application) -> shop.deafAlone());
        add("a method of another bean, of a manager without listeners", (shop, application) -> shop.deaf());
    }

    /** Runs what the scheduler would. */
    private static void scheduled(ApplicationContext application) {
        application
                .getBean(ScheduledAnnotationBeanPostProcessor.class)
                .getScheduledTasks()
                .iterator()
                .next()
                .getTask()
                .getRunnable()
                .run();
    }
}
