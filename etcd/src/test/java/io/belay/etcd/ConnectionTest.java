package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Push;
import io.belay.spi.Store;
import io.etcd.jetcd.Client;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is told of an answer, and for how long it is kept. */
class ConnectionTest {
    /** It may be of megabytes, and thousands may come until the time limit of the first is over. */
    @Test
    void anAnswerThatWasToldIsKeptByNobody() {
        try (Connection connection =
                EtcdStoreProvider.connect(EtcdUrl.parse("etcd://127.0.0.1:1?timeout=10m"), false)) {
            WeakReference<Object> answer = answered(connection);
            await().until(() -> {
                System.gc();
                return answer.get() == null;
            });
        }
    }

    private static WeakReference<Object> answered(Connection connection) {
        CompletableFuture<Object> reply = new CompletableFuture<>();
        CompletionStage<Object> told = connection.told(reply);
        Object answer = new Object();
        reply.complete(answer);
        assertThat(told.toCompletableFuture().join()).isSameAs(answer);
        return new WeakReference<>(answer);
    }

    /** As for want of threads: whoever tries again and again would have more and more of them. */
    @Test
    void whoseFirstQuestionEndsInAnErrorIsClosed() {
        AtomicInteger closed = new AtomicInteger();
        Client client = (Client) Proxy.newProxyInstance(
                ConnectionTest.class.getClassLoader(), new Class<?>[] {Client.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    throw new OutOfMemoryError("says the test");
                });
        Connection connection =
                new Connection(client, closed::incrementAndGet, EtcdUrl.parse("etcd://127.0.0.1:1?timeout=10m"));
        assertThatThrownBy(() -> EtcdStoreProvider.open(connection, new Keys("belay/"), 1, new Store.Listener() {
                    @Override
                    public void pushed(Push push) {}

                    @Override
                    public void reconnected() {}
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(closed).hasValue(1);
    }

    @Test
    void whatIsNotAnsweredInTimeFails() {
        try (Connection connection =
                EtcdStoreProvider.connect(EtcdUrl.parse("etcd://127.0.0.1:1?timeout=10ms"), false)) {
            CompletableFuture<Object> reply = new CompletableFuture<>();
            CompletableFuture<Object> told = connection.told(reply).toCompletableFuture();
            await().until(told::isCompletedExceptionally);
            assertThat(told.handle((result, error) -> error.getMessage()).join())
                    .contains("did not answer in time");
            assertThat(reply).isNotDone();
        }
    }
}
