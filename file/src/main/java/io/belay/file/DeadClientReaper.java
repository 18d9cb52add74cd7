package io.belay.file;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The reaper of what nobody will use again: clients that have ended, claims that have expired. It runs on the store's
 * thread. Several clients may reap the same one at once, and any may stop half way: each step is a change like any
 * other, and finds what is left to do.
 */
final class DeadClientReaper {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);
    private static final ClaimId NO_CLAIM = ClaimId.of(0, 0);

    private final Table table;
    private final Areas areas;
    private final Path directory;
    private final Teller teller;

    /** The clients that could not be reaped, and when to try again: a disk may have room by then. */
    private final Map<Long, Long> unreaped = new HashMap<>();

    /** A way to tell clients what became of their claims. */
    interface Teller {
        void tell(String resource, Step step);
    }

    DeadClientReaper(Table table, Areas areas, Path directory, Teller teller) {
        this.table = table;
        this.areas = areas;
        this.directory = directory;
        this.teller = teller;
    }

    /**
     * Reaps a client. If its process has ended its claims end, as it cannot believe anything any more; except for those
     * whose end was fixed, which last until then. Those of a client that closed in good order last until they expire,
     * except for grants that it has not picked up, and never will. In both cases this client copies the other's documents,
     * bucket by bucket, and then no head names that slot, nor ever will; only then it frees the slot.
     */
    void reap(long client) {
        int slot = table.rootTable.slotOf(client);
        Long again = unreaped.get(client);
        if (slot == table.slot || (again != null && System.nanoTime() - again < 0)) {
            return;
        }
        boolean dead = slot >= 0 && !table.rootTable.isClosed(slot);
        Burial burial = new Burial(client, slot, dead);
        for (int bucket = 0; bucket < RootTable.BUCKETS; bucket++) {
            if (dead && table.rootTable.client(slot) != client) {
                return;
            }
            change(bucket, burial);
        }
        burial.report();
        if (burial.failures > 0) {
            unreaped.put(client, System.nanoTime() + PATIENCE);
            return;
        }
        unreaped.remove(client);
        if (slot >= 0 && table.rootTable.freeSlot(slot, client)) {
            deleteFiles(client);
        }
    }

    /** Returns whether a request has fixed the end of a claim, which is the same whatever becomes of its client. */
    static boolean isFixed(Claim claim) {
        return claim.fixedLease() > 0 && claim.reweights() > 0;
    }

    private void change(int bucket, Work work) {
        if (Head.isEmpty(table.rootTable.head(bucket))) {
            return;
        }
        try {
            work.bucket = bucket;
            areas.provideFor(() -> {
                table.change(bucket, work);
                return work;
            });
            work.steps.forEach(told -> teller.tell(told.resource, told.step));
        } catch (StoreException e) {
            table.checkUsable();
            work.failed(e);
        }
    }

    /** Expires what is due in the buckets that this client wrote last, and forgets what may be forgotten. */
    void sweep() {
        Sweep sweep = new Sweep();
        for (int bucket = 0; bucket < RootTable.BUCKETS; bucket++) {
            if (Head.slot(table.rootTable.head(bucket)) == table.slot) {
                change(bucket, sweep);
            } else {
                trim(bucket, sweep);
            }
        }
        sweep.report();
    }

    private void trim(int bucket, Work work) {
        try {
            areas.provideFor(() -> {
                table.trim(bucket);
                return work;
            });
        } catch (StoreException e) {
            table.checkUsable();
            work.failed(e);
        }
    }

    private void deleteFiles(long client) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, String.format("%016x.*", client))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            FileLog.LOG.warn("could not delete the files of an ended client: {}", e.toString());
        }
    }

    /** Changes to many buckets, each with what is to be told afterwards. */
    private abstract static class Work implements Change {
        record Told(String resource, Step step) {}

        final List<Told> steps = new ArrayList<>();
        int bucket;
        int failures;
        private @Nullable String firstFailure;

        final void failed(StoreException e) {
            firstFailure = failures++ == 0 ? e.getMessage() : firstFailure;
        }

        /** Logs one line, however many buckets failed. */
        final void report() {
            if (failures > 0) {
                FileLog.LOG.warn("could not clear away {} of the buckets; the first: {}", failures, firstFailure);
            }
        }

        /** Runs a request on one resource of the document; returns whether that changed it. */
        @SuppressWarnings("ReferenceEquality") // The same object means that nothing has changed.
        final boolean run(Document document, int index, Request request, long now) {
            Resource before = document.resource(index);
            Step step = request.applyTo(before, now);
            if (step.next() == before) {
                return false;
            }
            document.replace(index, step.next());
            steps.add(new Told(request.resource(), step));
            return true;
        }
    }

    private final class Burial extends Work {
        private final long client;
        private final int slot;
        private final boolean dead;

        Burial(long client, int slot, boolean dead) {
            this.client = client;
            this.slot = slot;
            this.dead = dead;
        }

        @Override
        public boolean apply(Document document, long now) {
            steps.clear();
            long head = table.rootTable.head(bucket);
            boolean changed = !Head.isEmpty(head) && Head.slot(head) == slot;
            for (int i = 0; i < document.size(); i++) {
                for (Claim claim : document.resource(i).claims()) {
                    if (claim.id().client() == client && !isFixed(claim)) {
                        changed |= run(document, i, end(document.name(i), claim), now);
                    }
                }
            }
            return changed;
        }

        private Request end(String name, Claim claim) {
            return dead
                    ? Request.Leave.of(name, claim.id(), false)
                    : Request.Skip.of(name, claim.id(), claim.sequence());
        }
    }

    private static final class Sweep extends Work {
        @Override
        public boolean apply(Document document, long now) {
            steps.clear();
            boolean changed = document.hasForgettable(now);
            for (int i = 0; i < document.size(); i++) {
                // Any request expires what is due; this one does nothing else.
                if (document.isDue(i, now)) {
                    changed |= run(document, i, Request.Skip.of(document.name(i), NO_CLAIM, 0), now);
                }
            }
            return changed;
        }
    }
}
