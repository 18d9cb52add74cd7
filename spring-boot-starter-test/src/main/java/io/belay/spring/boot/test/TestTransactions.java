package io.belay.spring.boot.test;

import org.jspecify.annotations.Nullable;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;
import org.springframework.test.context.transaction.TransactionalTestExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Knows the transaction that a test with {@code @Transactional} begins around its method, by the name that it gives to it. */
final class TestTransactions extends AbstractTestExecutionListener {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TestTransactions.class.getClassLoader());

    private static final ThreadLocal<@Nullable String> NAME = new ThreadLocal<>();

    /** Returns whether the calling thread's transaction is the one of its test, and none that the application has begun in it. */
    static boolean areAround() {
        String name = NAME.get();
        return name != null && name.equals(TransactionSynchronizationManager.getCurrentTransactionName());
    }

    /** Returns the place directly after the listener that begins the transaction, and so before it when that ends it. */
    @Override
    public int getOrder() {
        return TransactionalTestExecutionListener.ORDER + 1;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (PRESENT && TransactionSynchronizationManager.isActualTransactionActive()) {
            NAME.set(TransactionSynchronizationManager.getCurrentTransactionName());
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        NAME.remove();
    }
}
