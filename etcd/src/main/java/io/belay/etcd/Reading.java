package io.belay.etcd;

import io.belay.node.Capacity;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.spi.ClaimId;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads queues and nodes, each in as few transactions as it can, and tells the watches that follow a queue of it. */
final class Reading {
    /** The number of keys that are read in one transaction; a server takes 128 by default. */
    static final int CHUNK = 100;

    private static final GetOption IN_ORDER = GetOption.builder()
            .isPrefix(true)
            .withSortField(GetOption.SortTarget.CREATE)
            .withSortOrder(GetOption.SortOrder.ASCEND)
            .build();

    private final Connection connection;
    private final KV kv;
    private final Keys keys;
    private final LayoutKey layout;
    private final QueueWatches lines;

    Reading(Connection connection, Keys keys, LayoutKey layout) {
        this.connection = connection;
        this.keys = keys;
        this.layout = layout;
        kv = connection.client().getKVClient();
        lines = new QueueWatches(connection.client().getWatchClient(), this::node, this::list);
    }

    QueueWatches lines() {
        return lines;
    }

    /** Returns the step that reads a resource's claims; {@link #capacity} follows it, and {@link #line} reads both. */
    Op claims(String resource) {
        return claims(keys.claims(resource));
    }

    private static Op claims(ByteSequence start) {
        return Op.get(start, IN_ORDER);
    }

    /** Returns the step that reads the capacity that was set on purpose. */
    Op capacity(String resource) {
        return Op.get(keys.capacity(resource), GetOption.DEFAULT);
    }

    CompletionStage<NodeQueue> list(String resource) {
        return connection
                .told(kv.txn()
                        .Then(claims(resource), capacity(resource), layout.read())
                        .commit())
                .thenApply(response -> {
                    layout.refuseOthers(response.getGetResponses().get(2));
                    return line(resource, response);
                });
    }

    /** Reads the claims whose keys begin so; what their layout is does not matter. */
    CompletionStage<List<Node>> list(ByteSequence start) {
        return connection
                .told(kv.txn().Then(claims(start)).commit())
                .thenApply(response ->
                        nodes(start, response, response.getGetResponses().get(0)));
    }

    NodeQueue line(String resource, TxnResponse response) {
        List<GetResponse> reads = response.getGetResponses();
        List<Node> nodes = nodes(keys.claims(resource), response, reads.get(0));
        Capacity set = reads.get(1).getKvs().stream()
                .findFirst()
                .map(connection::capacity)
                .orElse(Capacity.NONE);
        return new NodeQueue(set, nodes);
    }

    /** Returns the number of the lease that a node was attached to, as read with {@link #claims}; 0 for none. */
    static long lease(TxnResponse response, Node node) {
        return response.getGetResponses().get(0).getKvs().stream()
                .filter(found -> found.getCreateRevision() == node.order())
                .findFirst()
                .map(KeyValue::getLease)
                .orElse(0L);
    }

    private List<Node> nodes(ByteSequence start, TxnResponse response, GetResponse read) {
        List<Node> nodes = new ArrayList<>(read.getKvs().size());
        for (KeyValue found : read.getKvs()) {
            node(found).ifPresent(nodes::add);
        }
        lines.listed(start, response.getHeader().getRevision(), nodes);
        return nodes;
    }

    /** Reads a claim's node; empty for what other programs have put there, which is not in the way. */
    Optional<Node> node(KeyValue found) {
        String key = found.getKey().toString(StandardCharsets.UTF_8);
        Keys.Claim claim = Keys.parse(key);
        if (claim == null) {
            return connection.foreign(key);
        }
        try {
            long revision = found.getCreateRevision();
            return Optional.of(new Node(
                    key,
                    ClaimId.of(claim.client(), Values.number(found.getValue())),
                    claim.capacity(),
                    revision,
                    Node.sequence(connection.lift(revision)),
                    found.getModRevision(),
                    Values.details(found.getValue())));
        } catch (IllegalArgumentException e) {
            return connection.foreign(key);
        }
    }

    CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        List<CompletableFuture<GetResponse>> replies = gets(nodes);
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    List<Optional<Node>> now = new ArrayList<>(nodes.size());
                    for (int i = 0; i < nodes.size(); i++) {
                        now.add(same(nodes.get(i), replies.get(i).join()));
                    }
                    return now;
                });
    }

    /** Reads the keys of nodes, in few transactions, which may go to different members. */
    List<CompletableFuture<GetResponse>> gets(List<Node> nodes) {
        List<CompletableFuture<GetResponse>> replies = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i += CHUNK) {
            Op[] gets = nodes.subList(i, Math.min(nodes.size(), i + CHUNK)).stream()
                    .map(node -> Op.get(ByteSequence.from(node.key(), StandardCharsets.UTF_8), GetOption.DEFAULT))
                    .toArray(Op[]::new);
            CompletionStage<TxnResponse> read =
                    connection.told(kv.txn().Then(gets).commit());
            for (int j = 0; j < gets.length; j++) {
                int which = j;
                replies.add(
                        read.thenApply(response -> response.getGetResponses().get(which))
                                .toCompletableFuture());
            }
        }
        return replies;
    }

    private Optional<Node> same(Node node, GetResponse reply) {
        return reply.getKvs().stream()
                .filter(found -> found.getCreateRevision() == node.order())
                .findFirst()
                .flatMap(this::node);
    }
}
