package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.LeaseLostException;
import io.belay.spring.ShopApplication.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods that mark their own transaction rollback-only and return: nothing looks at their locks before a commit. */
class RollbackOnlyTest {
    private static void markRollbackOnly() {
        TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
    }

    private static void awaitLead(AnnotationConfigApplicationContext application) {
        Leaderships leaderships = application.getBean(Leaderships.class);
        await().until(() -> leaderships.lease(new Leaderships.Key("", "shops")).isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void aLossIsTold(Kind kind) {
        Map<String, Consumer<Shop>> shapes = new LinkedHashMap<>();
        shapes.put("alone", Shop::alone);
        shapes.put("of a manager without listeners", Shop::deafAlone);
        shapes.put("of its own", Shop::apart);
        shapes.put("leading", Shop::leading);
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Shop shop = application.getBean(Shop.class);
            Belay belay = application.getBean(Belay.class);
            shapes.forEach((shape, call) -> {
                awaitLead(application);
                shop.setPoint(RollbackOnlyTest::markRollbackOnly);
                assertThatCode(() -> call.accept(shop)).as(shape).doesNotThrowAnyException();
                shop.setPoint(() -> {
                    markRollbackOnly();
                    Shop.lose(belay, shape.equals("leading") ? "shops" : "shop");
                });
                assertThatThrownBy(() -> call.accept(shop)).as(shape).isInstanceOf(LeaseLostException.class);
            });
        }
    }

    /** The method's own work was committed with a look. */
    @ParameterizedTest
    @EnumSource
    void aLossInATransactionBehindTheCommitIsNoFailureOfTheMethod(Kind kind) {
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Belay belay = application.getBean(Belay.class);
            TransactionTemplate apart = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            AtomicBoolean isLost = new AtomicBoolean();
            TransactionSynchronization listener = new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    apart.executeWithoutResult(status -> {
                        Shop.lose(belay, "shop");
                        isLost.set(true);
                        status.setRollbackOnly();
                    });
                }
            };
            application
                    .getBean(Shop.class)
                    .aloneWith(() -> TransactionSynchronizationManager.registerSynchronization(listener));
            assertThat(isLost).as("and the method has not failed").isTrue();
        }
    }

    /** The inner one has had its look, and has committed. */
    @ParameterizedTest
    @EnumSource
    void aLossIsToldAlsoBehindACommitInside(Kind kind) {
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Shop shop = application.getBean(Shop.class);
            Belay belay = application.getBean(Belay.class);
            assertThatThrownBy(() -> shop.aloneWith(() -> {
                        shop.apart();
                        markRollbackOnly();
                        Shop.lose(belay, "shop");
                    }))
                    .isInstanceOf(LeaseLostException.class);
        }
    }
}
