package io.belay.file;

import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The buckets, and the one way to change them.
 *
 * <p>A change copies the document that the head names, and checks that the head is still the same: if so, the copy is
 * whole, since an owner never writes to the entry that a head names, and a word of a head never comes back. It then
 * writes a new document to this client's own area, into the entry that the head does not name, and publishes it by a
 * compare-and-set of the head. If that fails another client has succeeded, and everything starts anew.
 *
 * <p>The clock is read after the head. So whatever a change finds was written at an earlier time than its own, and a
 * resource that was forgotten, whose last sequence is unknown, had one that is in the past.
 */
final class Table {
    /** The length of a document beyond which it takes no further claim, in bytes. */
    static final int ENOUGH = 4 << 20;

    private static final int MAX = 2 * ENOUGH;
    private static final int LANES = 128;

    final RootTable rootTable;
    final OwnArea own;
    final int slot;
    private final String directory;
    private final AtomicReferenceArray<@Nullable Area> areas = new AtomicReferenceArray<>(Head.SLOTS);
    private final LockStripe[] stripes = new LockStripe[LANES];
    private volatile @Nullable StoreException failure;
    /** True once nobody who comes will see this table, or this client in it. */
    private volatile boolean removed;

    Table(RootTable rootTable, OwnArea own, int slot, String directory) {
        this.rootTable = rootTable;
        this.own = own;
        this.slot = slot;
        this.directory = directory;
        for (int i = 0; i < LANES; i++) {
            stripes[i] = new LockStripe();
        }
        areas.set(slot, own);
    }

    /** Runs a request of the reference model. */
    Step run(Request request) throws NeedsFiles {
        if (removed && isOfAStandingClaim(request)) {
            return request.applyTo(Resource.UNUSED, rootTable.now()); // where all look now, there is no such claim
        }
        byte[] name = nameOf(request.resource());
        RequestChange change = new RequestChange(request, name);
        change(ResourceNames.bucket(name), change);
        return change.step();
    }

    private static boolean isOfAStandingClaim(Request request) {
        return request instanceof Request.Renew
                || request instanceof Request.Fix
                || request instanceof Request.Reweight
                || request instanceof Request.Yield;
    }

    private static byte[] nameOf(String resource) {
        byte[] name = ResourceNames.bytes(resource);
        if (name.length > ResourceNames.MAX) {
            throw StoreException.unusable(
                    "the name of a resource has " + name.length + " bytes; file: takes up to " + ResourceNames.MAX,
                    null);
        }
        return name;
    }

    Store.Snapshot inspect(String resource) throws NeedsFiles {
        byte[] name = nameOf(resource);
        class Look implements Change {
            Store.Snapshot seen = Store.Snapshot.of(0, Optional.empty());

            @Override
            public boolean apply(Document document, long now) {
                int at = document.find(name);
                seen = Store.Snapshot.of(now, at < 0 ? Optional.empty() : Optional.of(document.resource(at)));
                return false;
            }
        }
        Look look = new Look();
        change(ResourceNames.bucket(name), look);
        return look.seen;
    }

    /** Makes one change to a bucket. */
    void change(int bucket, Change change) throws NeedsFiles {
        LockStripe stripe = stripes[bucket % LANES];
        try (var held = stripe.lock.hold()) {
            while (true) {
                checkUsable();
                long head = read(bucket, stripe.document);
                long now = rootTable.now();
                if (!apply(change, stripe.document, now, bucket) || publish(bucket, head, stripe, now, change)) {
                    return;
                }
                Thread.onSpinWait();
            }
        }
    }

    private boolean apply(Change change, Document document, long now, int bucket) {
        try {
            return change.apply(document, now);
        } catch (Damage e) {
            throw damaged(bucket, e);
        }
    }

    /** Copies the state of a bucket; returns the head that it belongs to. */
    private long read(int bucket, Document document) throws NeedsFiles {
        while (true) {
            long head = rootTable.head(bucket);
            if (Head.isEmpty(head)) {
                document.clear();
                return head;
            }
            int from = Head.slot(head);
            long client = rootTable.client(from);
            Area area = areas.get(from);
            boolean known = area != null && area.client == client;
            long place = area != null && known ? area.entry(bucket, Head.toggle(head)) : 0;
            boolean mapped = area != null && known && area.segment(HeapRange.segment(place)) != null;
            ByteBuffer memory = area != null && mapped ? area.memory(place) : null;
            boolean copied = memory != null && HeapRange.length(place) <= MAX;
            if (memory != null && copied) {
                document.copy(memory, (int) HeapRange.offset(place), HeapRange.length(place));
            }
            VarHandle.acquireFence();
            if (rootTable.head(bucket) != head) {
                continue;
            }
            if (!mapped) {
                throw NeedsFiles.segment(bucket, head, HeapRange.segment(place));
            }
            if (!copied) {
                throw damaged(bucket, null);
            }
            try {
                document.parse(HeapRange.length(place), Head.version(head), client, bucket);
            } catch (Damage e) {
                throw damaged(bucket, e);
            }
            return head;
        }
    }

    private boolean publish(int bucket, long head, LockStripe stripe, long now, Change change) throws NeedsFiles {
        long version = Head.next(head);
        stripe.document.forget(now);
        rootTable.use(now);
        if (stripe.document.size() == 0) {
            return rootTable.publish(bucket, head, Head.of(version, Head.NOBODY, 0)) && releaseBoth(bucket);
        }
        stripe.document.write(stripe.out, version, own.client, bucket);
        if (stripe.out.length() > ENOUGH) {
            change.tooLong();
            if (stripe.out.length() > MAX) {
                throw StoreException.unusable(
                        "the claims of bucket " + bucket + " in " + directory + " take more than " + MAX + " bytes",
                        null);
            }
        }
        int toggle = isOwn(head) ? 1 - Head.toggle(head) : 0;
        int length = stripe.out.length();
        if (!own.write(bucket, toggle, stripe.out.bytes(), length)
                || (change.adds() && !own.reserve(bucket, 1 - toggle, length))) {
            throw NeedsFiles.room(length);
        }
        return rootTable.publish(bucket, head, Head.of(version, slot, toggle));
    }

    private boolean isOwn(long head) {
        return !Head.isEmpty(head) && Head.slot(head) == slot;
    }

    private boolean releaseBoth(int bucket) {
        own.release(bucket, 0);
        own.release(bucket, 1);
        own.releaseSpare(bucket);
        return true;
    }

    /**
     * Gives back the extents that this client keeps for a bucket which another client has written last; but not where it has
     * a claim, whose renewals were promised that room.
     */
    void trim(int bucket) throws NeedsFiles {
        if (own.keeps(bucket)) {
            change(bucket, (document, now) -> {
                if (!isOwn(rootTable.head(bucket)) && !document.hasClaimOf(own.client)) {
                    releaseBoth(bucket);
                }
                return false;
            });
        }
    }

    /** Returns the area of a slot's client as far as it is mapped. */
    @Nullable
    Area area(int from) {
        return areas.get(from);
    }

    void setArea(int from, @Nullable Area area) {
        areas.set(from, area);
    }

    StoreException damaged(int bucket, @Nullable Throwable cause) {
        return StoreException.unusable(
                "the data in " + directory + " is damaged (bucket " + bucket
                        + "): stop all processes that use it, delete the directory, and start them again",
                cause);
    }

    void checkUsable() {
        StoreException seen = failure;
        if (seen != null) {
            throw seen;
        }
    }

    boolean isUsable() {
        return failure == null;
    }

    /** Fails because the directory, or this client's place in it, is no longer there for anybody, and no claim of this client. */
    void remove(StoreException why) {
        fail(why);
        removed = true;
    }

    /** Lets every change fail from its return on, when none is under way any more. The first failure stays. */
    void fail(StoreException why) {
        for (LockStripe stripe : stripes) {
            try (var held = stripe.lock.hold()) {
                failure = failure == null ? why : failure;
            }
        }
    }

    /** A request of the reference model as a change. */
    private static final class RequestChange implements Change {
        private final Request request;
        private final byte[] name;
        private @Nullable Step step;

        RequestChange(Request request, byte[] name) {
            this.request = request;
            this.name = name;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // The same object means that nothing has changed.
        public boolean apply(Document document, long now) {
            int at = document.find(name);
            Resource before = at < 0 ? Resource.UNUSED : document.resource(at);
            Step made = request.applyTo(before, now);
            step = made;
            if (made.next() == before) {
                return false;
            }
            document.put(at, name, made.next());
            return true;
        }

        @Override
        public boolean adds() {
            return request instanceof Request.Enter;
        }

        @Override
        public void tooLong() {
            if (request instanceof Request.Enter && step != null) {
                throw StoreException.unusable(
                        request.resource() + " has " + (step.next().claims().size() - 1)
                                + " claims, and file: has no room for more in " + ENOUGH / (1 << 20)
                                + " MB: let fewer wait at a time",
                        null);
            }
        }

        Step step() {
            Step made = step;
            if (made == null) {
                throw new IllegalStateException("the change was not made");
            }
            return made;
        }
    }
}
