package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.DelayedTasks;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.NodeStore;
import io.belay.node.Nodes;
import io.belay.node.Slots;
import io.belay.server.ClockSamples;
import io.belay.server.TlsRefusal;
import io.belay.servers.NullProbe;
import io.belay.spi.ClaimId;
import io.belay.spi.Finding;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.support.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    private static final Set<Class<?>> IMPLEMENTED_BY_OTHERS = Set.of(
            Documents.class, Documents.Bell.class, Documents.Session.class, Nodes.class, ClockSamples.Question.class);

    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        Documents documents = NullProbe.stub(Documents.class);
        Nodes nodes = NullProbe.stub(Nodes.class);
        Store.Listener listener = NullProbe.stub(Store.Listener.class);
        ClaimId id = ClaimId.of(1, 1);
        Details details = Details.ofWeight(1);
        ClockSamples.Question<RuntimeException> question = () -> 0;
        Runnable runnable = () -> {};
        LongSupplier clock = () -> 1;
        Consumer<Object> consumer = any -> {};
        Executor executor = Runnable::run;
        Supplier<Object> supplier = () -> "x";
        try (DocumentStore onDocuments = new DocumentStore("test", documents, 1, listener);
                NodeStore onNodes = new NodeStore("test", nodes, listener);
                DelayedTasks tasks = new DelayedTasks("test", 1)) {
            NullProbe probe = new NullProbe(
                    IMPLEMENTED_BY_OTHERS,
                    List.of(
                            "x",
                            new byte[1],
                            Duration.ofSeconds(1),
                            Finding.Severity.NOTE,
                            question,
                            List.of(),
                            Map.of(),
                            runnable,
                            clock,
                            consumer,
                            executor,
                            supplier,
                            CompletableFuture.completedFuture(true),
                            id,
                            Owner.of("x", "x", 1, "x"),
                            Moment.now(),
                            Request.Leave.of("x", id, false),
                            listener,
                            documents,
                            NullProbe.stub(Documents.Bell.class),
                            nodes,
                            details,
                            new Node("x", id, 1, 1, 64, 1, details),
                            NodeQueue.EMPTY,
                            Capacity.NONE,
                            Deadline.over(),
                            new Slots(),
                            new TlsRefusal("x", "x", "x", "x"),
                            tasks,
                            onDocuments,
                            onNodes));
            assertThat(probe.complaints(DocumentStore.class)).isEmpty();
            assertThat(probe.complaintsOf(List.of(Store.class))).isEmpty();
        }
    }
}
