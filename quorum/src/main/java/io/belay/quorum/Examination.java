package io.belay.quorum;

import io.belay.spi.Claim;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A look at what endangers the locks of a quorum: its members' own findings, and how many members there are. */
final class Examination {
    private static final Store.Listener NOBODY = new Store.Listener() {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    };

    private final QuorumUrl url;
    private final List<StoreProvider> providers;

    Examination(QuorumUrl url, List<StoreProvider> providers) {
        this.url = url;
        this.providers = providers;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        int size = url.members().size();
        if (size < 3) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "members",
                    "The quorum has " + size + " member" + (size == 1 ? "" : "s")
                            + ", so it outlives the loss of none.",
                    "Name three or five independent servers, or one by itself."));
        } else if (size % 2 == 0) {
            findings.add(Finding.of(
                    Severity.WARNING,
                    "members",
                    "The quorum has " + size + " members, and outlives the loss of no more than " + (size - 1)
                            + " would.",
                    "Name an odd number of servers."));
        }
        ExecutorService pool = Executors.newFixedThreadPool(size);
        try {
            List<Future<List<Finding>>> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int index = i;
                all.add(pool.submit(() -> of(index)));
            }
            for (Future<List<Finding>> one : all) {
                findings.addAll(get(one));
            }
        } finally {
            pool.shutdownNow();
        }
        return findings;
    }

    private static List<Finding> get(Future<List<Finding>> one) {
        try {
            return one.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unreachable("the examination was interrupted", e);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
    }

    private List<Finding> of(int index) {
        String label = url.label(index + 1);
        String member = url.members().get(index);
        List<Finding> result = new ArrayList<>();
        try {
            for (Finding finding : providers.get(index).examine(member)) {
                result.add(Finding.of(
                        finding.severity(), label + ", " + finding.subject(), finding.finding(), finding.cure()));
            }
            result.addAll(age(index, label));
        } catch (StoreException e) {
            result.add(Finding.of(
                    Severity.WARNING,
                    label,
                    "It cannot be looked at: " + e.getMessage() + ".",
                    "Have it run again: a majority of all members is needed for every lock."));
        }
        return result;
    }

    private List<Finding> age(int index, String label) {
        long client = ThreadLocalRandom.current().nextLong() | 1;
        try (Store store = providers.get(index).open(url.members().get(index), client, NOBODY)) {
            CompletableFuture<Store.Snapshot> asked =
                    store.inspect(Member.BIRTH).toCompletableFuture();
            Store.Snapshot snapshot = asked.get(10, TimeUnit.SECONDS);
            List<Claim> births = snapshot.resource().map(Resource::claims).orElse(List.of());
            long longest = url.longestLease().toNanos() / 1000;
            long age = births.isEmpty()
                    ? 0
                    : snapshot.time() - births.get(births.size() - 1).sequence();
            if (age >= longest) {
                return List.of();
            }
            return List.of(Finding.of(
                    Severity.WARNING,
                    label + ", quarantine",
                    births.isEmpty()
                            ? "It is new, or was wiped, and no client has used it since: it gives no vote until "
                                    + longest / 1_000_000 + " s after the first one has."
                            : "It gives no vote for another " + (longest - age + 999_999) / 1_000_000
                                    + " s, since it is new or was restarted or wiped.",
                    "Wait; and let no majority of the members begin anew at the same time."));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unreachable("the examination was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw StoreException.unreachable("it did not answer", e);
        }
    }
}
