package io.belay.file;

import io.belay.spi.Claim;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The scan that makes up for lost pushes: a client that granted a claim may have been stopped or killed before it could
 * tell. It looks every second where claims of this client wait, which is sooner than a grant lapses that its owner has
 * not picked up.
 */
final class MissedPushScanner {
    /** A word that is no head: its slot is beyond those that may be claimed, and its version is never reached. */
    private static final long NEVER = -1;

    private final Table table;
    private final Consumer<Push> receiver;

    /** The buckets where claims wait, with the head at the last look. */
    private final Map<Integer, Long> buckets = new ConcurrentHashMap<>();

    MissedPushScanner(Table table, Consumer<Push> receiver) {
        this.table = table;
        this.receiver = receiver;
    }

    void waiting(String resource) {
        buckets.put(ResourceNames.bucket(ResourceNames.bytes(resource)), NEVER);
    }

    /** Tells this client of grants in the buckets whose head has changed since the last look. On the store's thread. */
    void remind(Areas areas) {
        for (Map.Entry<Integer, Long> entry : List.copyOf(buckets.entrySet())) {
            int bucket = entry.getKey();
            long head = table.rootTable.head(bucket);
            if (head == entry.getValue()) {
                continue;
            }
            // Taken out before it is looked at, so that a claim which begins to wait meanwhile is not missed.
            buckets.remove(bucket);
            Look look = new Look(table.own.client);
            try {
                areas.provideFor(() -> {
                    table.change(bucket, look);
                    return look;
                });
            } catch (StoreException e) {
                FileLog.LOG.debug("Bucket {} is looked at again in a second", bucket, e);
                buckets.putIfAbsent(bucket, NEVER);
                continue;
            }
            if (look.waits) {
                buckets.putIfAbsent(bucket, head);
            }
            look.pushes.forEach(receiver);
        }
    }

    private static final class Look implements Change {
        private final long client;
        private final List<Push> pushes = new ArrayList<>();
        private boolean waits;

        Look(long client) {
            this.client = client;
        }

        @Override
        public boolean apply(Document document, long now) {
            pushes.clear();
            waits = false;
            for (int i = 0; i < document.size(); i++) {
                Resource resource = document.resource(i);
                for (int k = 0; k < resource.claims().size(); k++) {
                    Claim claim = resource.claims().get(k);
                    if (claim.id().client() == client && k >= resource.granted()) {
                        waits = true;
                    } else if (claim.id().client() == client && claim.pending()) {
                        boolean wanted = resource.claims().size() > resource.granted();
                        pushes.add(Push.granted(document.name(i), claim.id(), claim.sequence(), now, claim.deadline())
                                .withWanted(wanted));
                    }
                }
            }
            return false;
        }
    }
}
