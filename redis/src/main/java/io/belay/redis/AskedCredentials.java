package io.belay.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The user and password that the application is asked for as a connection is made. */
final class AskedCredentials {
    /** The longest that the application may take: a little less than an attempt may, so that it is named, not the server. */
    static final Duration LONGEST = Silence.WORK;

    private final RedisCredentialsProvider provider;
    private final Failures failures;
    private final Duration longest;

    AskedCredentials(RedisCredentialsProvider provider, Failures failures, Duration longest) {
        this.provider = provider;
        this.failures = failures;
        this.longest = longest;
    }

    /**
     * Asks for them, on a thread of its own: the application's code may block, and Lettuce's threads serve others. One that takes
     * too long is interrupted.
     *
     * @return fails with a {@link io.belay.spi.StoreException} that is temporary, whatever goes wrong
     */
    CompletableFuture<@Nullable RedisCredentials> ask() {
        CompletableFuture<@Nullable RedisCredentials> told = new CompletableFuture<>();
        Thread thread = new Thread(() -> resolve(told), "belay-credentials");
        thread.setDaemon(true);
        thread.start();
        return told.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS).exceptionallyCompose(error -> {
            if (error instanceof TimeoutException) { // its own, as all others come as what follows from them
                thread.interrupt();
                return CompletableFuture.failedFuture(
                        failures.withoutCredentials("not within " + longest.toSeconds() + " s", error));
            }
            return CompletableFuture.failedFuture(error);
        });
    }

    private void resolve(CompletableFuture<@Nullable RedisCredentials> told) {
        try {
            // Subscribed here as well: what the application has written may run only then.
            provider.resolveCredentials().toFuture().whenComplete((credentials, error) -> {
                if (error == null) {
                    told.complete(credentials);
                } else {
                    fail(told, error);
                }
            });
        } catch (Throwable e) { // it is the application's
            fail(told, e);
        }
    }

    private void fail(CompletableFuture<@Nullable RedisCredentials> told, Throwable error) {
        told.completeExceptionally(failures.withoutCredentials(Failures.reason(error), error));
    }
}
