package io.belay.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The user and password that the application is asked for as a connection of a client is made. */
final class AskedCredentials {
    /** The longest that the application may take: a little less than an attempt may, so that it is named, not the server. */
    static final Duration LONGEST = Silence.WORK;

    private final RedisCredentialsProvider provider;
    private final Duration longest;
    /** That of who has connected, for all connections: later ones are made on Lettuce's threads. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private volatile boolean accepted;

    AskedCredentials(RedisCredentialsProvider provider, Duration longest) {
        this.provider = provider;
        this.longest = longest;
    }

    /**
     * Asks for them, on a thread of its own: the application's code may block, and Lettuce's threads serve others. One that takes
     * too long is interrupted.
     *
     * @param failures those of the server that they are for
     * @return fails with a {@link io.belay.spi.StoreException} that is temporary, whatever goes wrong
     */
    CompletableFuture<@Nullable RedisCredentials> ask(Failures failures) {
        CompletableFuture<@Nullable RedisCredentials> told = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> resolve(told, failures), "belay-credentials", 0, false);
        thread.setContextClassLoader(loader);
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

    /**
     * Returns how a connection came out. Where some were accepted before, those that are refused are being changed: the
     * application tells the new ones a moment too early or too late.
     */
    CompletableFuture<Link> judge(CompletableFuture<Link> made, Failures failures) {
        return made.whenComplete((link, error) -> {
                    if (error == null) {
                        accepted = true;
                    }
                })
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(
                        accepted && Failures.isLoginRefused(error) ? failures.outdatedCredentials() : error));
    }

    private void resolve(CompletableFuture<@Nullable RedisCredentials> told, Failures failures) {
        try {
            // Subscribed here as well: what the application has written may run only then.
            provider.resolveCredentials().toFuture().whenComplete((credentials, error) -> {
                if (error == null) {
                    told.complete(credentials);
                } else {
                    told.completeExceptionally(failures.withoutCredentials(Failures.reason(error), error));
                }
            });
        } catch (Throwable e) { // it is the application's
            told.completeExceptionally(failures.withoutCredentials(Failures.reason(e), e));
        }
    }
}
