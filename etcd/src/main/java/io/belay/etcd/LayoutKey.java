package io.belay.etcd;

import io.belay.node.Layout;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The key that says in which layout the claims are. A client looks at it when it connects, and makes it before its
 * first claim if it is missing; from then on each new claim is made only if the key is as it was seen. Thread-safe.
 */
final class LayoutKey {
    private final Connection connection;
    private final KV kv;
    private final ByteSequence key;

    /** The revision in which the key was written as it was seen last; 0 if it was not there. */
    private volatile long seen;

    /** Twice the revision of the latest reading, and 1 more if that was another layout: answers overtake each other. */
    private final AtomicLong latest = new AtomicLong();

    private LayoutKey(Connection connection, Keys keys) {
        this.connection = connection;
        kv = connection.client().getKVClient();
        key = keys.layout();
    }

    /**
     * Reads the key for the first time. Blocks until etcd has answered.
     *
     * @throws StoreException if it says another layout, or cannot be read
     */
    static LayoutKey check(Connection connection, Keys keys) {
        LayoutKey layout = new LayoutKey(connection, keys);
        layout.look(connection.first(layout.key));
        return layout;
    }

    /** Returns the step that reads the key in a transaction, for {@link #look} or {@link #refuseOthers}. */
    Op read() {
        return Op.get(key, GetOption.DEFAULT);
    }

    /** Takes notice of what was read. Returns the revision in which the key was written; 0 if it is not there. */
    private long look(GetResponse found) {
        refuseOthers(found);
        long revision = marker(found).map(KeyValue::getModRevision).orElse(0L);
        seen = revision;
        return revision;
    }

    /** @throws StoreException if what was read says another layout */
    void refuseOthers(GetResponse found) {
        Optional<String> why = marker(found)
                .flatMap(marker -> Layout.refusal(marker.getValue().getBytes(), "its key " + key, "another prefix"));
        latest.accumulateAndGet(2 * found.getHeader().getRevision() + (why.isPresent() ? 1 : 0), Math::max);
        if (why.isPresent()) {
            throw connection.unusable(why.get());
        }
    }

    private static Optional<KeyValue> marker(GetResponse found) {
        return found.getKvs().stream().findFirst();
    }

    /** Returns whether another layout was found last, at which no claim enters and nothing is to be written. */
    boolean isRefused() {
        return latest.get() % 2 == 1;
    }

    /** Makes the key if it is missing. Returns the revision in which it was written; fails at another layout. */
    CompletionStage<Long> made() {
        long known = seen;
        if (known > 0) {
            return CompletableFuture.completedStage(known);
        }
        return connection
                .told(kv.txn()
                        .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0)))
                        .Then(Op.put(key, ByteSequence.from(Layout.marker()), PutOption.DEFAULT), read())
                        .Else(read())
                        .commit())
                .thenApply(done -> look(done.getGetResponses().get(0)));
    }

    /** Returns the comparison, for a transaction, whether the key is still as it was. */
    Cmp unchanged(long revision) {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
    }

    /**
     * Tells whether a transaction was not done because the key is not as it was seen, so that it may be tried again.
     *
     * @param done with the {@link #read} of the key as its last reading, if it was not done
     * @param again whether it may be; this fails otherwise, and always if the key says another layout
     */
    boolean isToBlame(long revision, TxnResponse done, boolean again) {
        List<GetResponse> reads = done.getGetResponses();
        if (done.isSucceeded() || look(reads.get(reads.size() - 1)) == revision) {
            return false;
        } else if (!again) {
            throw connection.unreachable("had its key " + key + " changed while this client asked: is it deleted?");
        }
        return true;
    }
}
