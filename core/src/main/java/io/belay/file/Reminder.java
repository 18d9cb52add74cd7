package io.belay.file;

import io.belay.spi.Claim;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Makes up for lost pushes: whoever granted a claim may have been stopped or killed before it could tell. Looks every
 * second where claims of this client wait, which is sooner than a grant lapses that nobody has picked up.
 */
final class Reminder {
    private final Table table;
    private final Consumer<Push> receiver;
    private final Set<Integer> buckets = ConcurrentHashMap.newKeySet();

    Reminder(Table table, Consumer<Push> receiver) {
        this.table = table;
        this.receiver = receiver;
    }

    void waiting(String resource) {
        buckets.add(Names.bucket(Names.bytes(resource)));
    }

    /** On the store's thread. */
    void remind(Areas areas) {
        for (int bucket : buckets) {
            // Taken out before it is looked at, so that a claim which begins to wait meanwhile is not missed.
            buckets.remove(bucket);
            Look look = new Look(table.own.client);
            areas.provideFor(() -> {
                table.change(bucket, look);
                return look;
            });
            if (look.waits) {
                buckets.add(bucket);
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
            for (int i = 0; i < document.size(); i++) {
                Resource resource = document.resource(i);
                for (int k = 0; k < resource.claims().size(); k++) {
                    Claim claim = resource.claims().get(k);
                    if (claim.id().client() == client && k >= resource.granted()) {
                        waits = true;
                    } else if (claim.id().client() == client && claim.pending()) {
                        pushes.add(new Push(
                                document.name(i), claim.id(), claim.sequence(), true, now, claim.deadline(), 0));
                    }
                }
            }
            return false;
        }
    }
}
