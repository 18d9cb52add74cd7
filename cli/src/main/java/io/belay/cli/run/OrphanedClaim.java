package io.belay.cli.run;

import io.belay.cli.text.CliException;
import io.belay.spi.Claim;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import io.belay.support.UrlVariables;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The claim of a process that has died. It is given back by its id, so that a later holder keeps its own. */
final class OrphanedClaim {
    private static final long SECONDS = 10;

    private OrphanedClaim() {}

    /** Gives back the claim that has a token, if it is there still. */
    static void giveBack(String url, String name, long token) {
        try (Store store = open(UrlVariables.expand(url))) {
            Store.Snapshot found = await(store.inspect(name));
            List<Claim> claims = found.resource().map(Resource::claims).orElse(List.of());
            for (Claim claim : claims) {
                if (claim.sequence() == token / Claim.TOKENS) {
                    await(store.send(Request.Leave.of(name, claim.id(), false)));
                }
            }
        } catch (StoreException e) {
            throw CliException.of(
                    ExitCodes.STORE,
                    "the lock is free when its lease ends, as it cannot be given back: " + e.getMessage());
        }
    }

    private static Store open(String url) {
        String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(scheme)) {
                return provider.open(url, new SecureRandom().nextLong() | 1, new Deaf());
            }
        }
        throw StoreException.unusable("no store has a URL of that form", null); // though it was taken from it
    }

    private static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException told) {
                throw told;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw StoreException.unreachable("it does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unreachable("interrupted", e);
        }
    }

    /** Listens to nothing, as this client has no claim of its own. */
    private static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }
}
