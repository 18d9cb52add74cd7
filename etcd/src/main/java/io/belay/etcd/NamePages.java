package io.belay.etcd;

import io.belay.spi.Store.NamePage;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Lists names: first those that claims have, in the order of their keys, then those with a capacity that was set, which
 * stays. So a resource whose last claim goes meanwhile is missed only if it ends.
 */
final class NamePages {
    private static final int LIMIT = 1_000;

    private final Connection connection;
    private final KV kv;
    private final Keys keys;
    private final LayoutKey layout;

    NamePages(Connection connection, Keys keys, LayoutKey layout) {
        this.connection = connection;
        this.keys = keys;
        this.layout = layout;
        kv = connection.client().getKVClient();
    }

    CompletionStage<NamePage> read(String prefix, String cursor) {
        KeyRange claims = KeyRange.all(keys.claimsFrom(prefix));
        KeyRange capacities = KeyRange.all(keys.capacitiesFrom(prefix));
        KeyRange range = cursor.isEmpty() ? claims : KeyRange.parse(cursor);
        GetOption option = GetOption.builder()
                .withRange(range.end())
                .withKeysOnly(true)
                .withLimit(LIMIT)
                .build();
        return connection
                .told(kv.txn()
                        .Then(Op.get(range.first(), option), layout.read())
                        .commit())
                .thenApply(response -> {
                    layout.refuseOthers(response.getGetResponses().get(1));
                    GetResponse found = response.getGetResponses().get(0);
                    List<ByteSequence> page =
                            found.getKvs().stream().map(KeyValue::getKey).toList();
                    boolean last = range.start().startsWith(capacities.scope());
                    Optional<KeyRange> next =
                            next(range, page, found.isMore(), last ? capacities.scope() : claims.scope());
                    return NamePage.of(
                            names(page), (last ? next : next.or(() -> Optional.of(capacities))).map(KeyRange::cursor));
                });
    }

    private List<String> names(List<ByteSequence> page) {
        Set<String> names = new LinkedHashSet<>();
        for (ByteSequence key : page) {
            String name = keys.name(key);
            if (name != null) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    private Optional<KeyRange> next(KeyRange range, List<ByteSequence> page, boolean more, String root) {
        return more
                ? Optional.of(KeyRange.afterFull(page, keys.behind(page.get(page.size() - 1))))
                : range.afterAll(!page.isEmpty(), root);
    }
}
