package io.belay.quorum;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
                if (!isOfForgetting(finding)) {
                    result.add(Finding.of(
                            finding.severity(), label + ", " + finding.subject(), finding.finding(), finding.cure()));
                }
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

    /** Returns whether it warns of what a restart forgets: a quorum takes each for one that has forgotten all. */
    private static boolean isOfForgetting(Finding finding) {
        return finding.subject().equals("persistence") && finding.severity() != Severity.DANGER;
    }

    private List<Finding> age(int index, String label) {
        long client = ThreadLocalRandom.current().nextLong() | 1;
        try (Store store = providers.get(index).open(url.members().get(index), client, NOBODY)) {
            long longest = url.longestLease().toNanos() / 1000;
            // About a claim that nobody has, as any answer tells which run of the member gives it.
            long run = answered(store.send(Request.Renew.of(Member.BIRTH, ClaimId.of(client, 0), 0, longest, 0, false)))
                    .server();
            Store.Snapshot snapshot = answered(store.inspect(Member.BIRTH));
            List<Claim> births = snapshot.resource().map(Resource::claims).orElse(List.of());
            return births.stream()
                    .filter(birth -> birth.id().number() == run)
                    .findFirst()
                    .map(birth -> age(label, birth.sequence(), snapshot.time(), longest))
                    .orElseGet(() -> quarantine(
                            label,
                            (births.isEmpty() ? "It is new, or was wiped" : "It was restarted")
                                    + ", and no client has used it since: it gives no vote until "
                                    + longest / 1_000_000 + " s after the first one has."));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unreachable("the examination was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw StoreException.unreachable("it did not answer", e);
        }
    }

    private static List<Finding> age(String label, long birth, long time, long longest) {
        long left = longest - (time - birth);
        long setBack = Member.setBack(birth, time);
        if (setBack > 0) {
            return List.of(Finding.of(
                    Severity.WARNING,
                    label + ", clock",
                    "It gives no vote until its clock is right: that was set back, by " + setBack + " s at least.",
                    "Set it right, by a time server."));
        } else if (left > 0) {
            return quarantine(
                    label,
                    "It gives no vote for another " + (left + 999_999) / 1_000_000
                            + " s, since it is new or was restarted or wiped.");
        }
        return List.of();
    }

    private static <T> T answered(CompletionStage<T> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        return asked.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static List<Finding> quarantine(String label, String finding) {
        return List.of(Finding.of(
                Severity.WARNING,
                label + ", quarantine",
                finding,
                "Wait; and let no majority of the members begin anew at the same time."));
    }
}
