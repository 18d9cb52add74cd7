package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of claims when a service fails in the middle, by a service that answers as a test says. */
class NodeStoreTest {
    private static final long LEASE = 10_000_000;
    private static final ClaimId OWN = ClaimId.of(1, 1);
    private static final ClaimId OTHER = ClaimId.of(2, 1);
    private static final int MANY = 20_000;

    /** What the service was asked, by the methods' names; by timers, too, as it leaves again. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final Deque<CompletionStage<Optional<Position>>> enters = new ArrayDeque<>();
    private final Deque<CompletionStage<Boolean>> leaves = new ConcurrentLinkedDeque<>();
    /** What happens before a write is tried, which may be another write. */
    private final Deque<Runnable> writes = new ArrayDeque<>();

    /** Whether the answer to a write is lost. */
    private final Deque<Boolean> lost = new ArrayDeque<>();

    /** The end of each node that is watched. */
    private final List<Runnable> goes = new ArrayList<>();

    private final List<Push> pushes = new ArrayList<>();
    /** What happens before a capacity is set. */
    private final Deque<Runnable> resizes = new ArrayDeque<>();

    /** What happens before nodes are removed. */
    private final Deque<Runnable> removes = new ArrayDeque<>();

    /** The lengths of the leases that nodes were put on. */
    private final List<Long> leases = new ArrayList<>();
    /** What is answered to those who fix an end, in place of the truth. */
    private final Deque<CompletionStage<Optional<Node>>> fixes = new ArrayDeque<>();

    /** What happens before an enter is sent. */
    private final Deque<Runnable> entersBegin = new ArrayDeque<>();

    /** What is answered to those who go to the end of the queue. */
    private final Deque<CompletionStage<Optional<Position>>> requeues = new ArrayDeque<>();

    /** What is answered to those who read the queue, in place of how it is. */
    private final Deque<CompletionStage<NodeQueue>> lists = new ArrayDeque<>();

    /** Until when a node is answered to last, in place of from now on. */
    private final Deque<Deadline> renewals = new ArrayDeque<>();

    /** Whether a node that is renewed is not there. */
    private boolean isGone;

    private NodeQueue line = NodeQueue.EMPTY;

    private final NodeStore store = new NodeStore("belay-test", service(), new Store.Listener() {
        @Override
        public void pushed(Push push) {
            pushes.add(push);
        }

        @Override
        public void reconnected() {}
    });

    private Nodes service() {
        return (Nodes) Proxy.newProxyInstance(Nodes.class.getClassLoader(), new Class<?>[] {Nodes.class}, this::answer);
    }

    @SuppressWarnings("unchecked")
    private Object answer(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
        asked.add(method.getName());
        return switch (method.getName()) {
            case "leasePerClaim" -> true;
            case "enter" -> {
                if (!entersBegin.isEmpty()) {
                    entersBegin.remove().run();
                }
                yield enters.remove();
            }
            case "leave" -> leaves.remove();
            case "requeue" -> requeues.remove();
            case "remove" -> CompletableFuture.completedStage(remove((List<?>) arguments[1]));
            case "list" -> lists.isEmpty() ? CompletableFuture.completedStage(line) : lists.remove();
            case "read" -> CompletableFuture.completedStage(read((List<?>) arguments[0]));
            case "write" -> {
                Optional<Node> written = write((Node) arguments[0], (Details) arguments[1]);
                yield Boolean.TRUE.equals(lost.poll())
                        ? CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null))
                        : CompletableFuture.completedStage(written);
            }
            case "fix" -> fix((Node) arguments[0], (Details) arguments[1], (long) arguments[2]);
            case "known" -> Optional.empty();
            case "resize" -> CompletableFuture.completedStage(resize((Capacity) arguments[1], (Capacity) arguments[2]));
            case "renew" ->
                ((List<?>) arguments[0])
                        .stream()
                                .map(own -> CompletableFuture.completedStage(
                                        isGone ? Optional.<Deadline>empty() : Optional.of(lasts())))
                                .toList();
            case "watch" -> watch((Node) arguments[0], (Consumer<Optional<Node>>) arguments[2]);
            case "watchArrivals" -> (Nodes.Watch) () -> {};
            default -> null;
        };
    }

    private Deadline lasts() {
        return renewals.isEmpty() ? Deadline.of(Moment.now(), LEASE * 1000) : renewals.remove();
    }

    private Nodes.Watch watch(Node node, Consumer<Optional<Node>> changed) {
        goes.add(() -> changed.accept(Optional.empty()));
        return () -> {};
    }

    private boolean resize(Capacity read, Capacity next) {
        if (!resizes.isEmpty()) {
            resizes.remove().run();
        }
        boolean same = read.version() == line.set().version();
        if (same) {
            set(next.text());
        }
        return same;
    }

    private void set(String capacity) {
        line = new NodeQueue(Capacity.parse(capacity, line.set().version() + 1).orElseThrow(), line.nodes());
    }

    private List<Optional<Node>> read(List<?> nodes) {
        return nodes.stream()
                .map(node -> line.nodes().stream()
                        .filter(now -> now.isSame((Node) node))
                        .findFirst())
                .toList();
    }

    private boolean remove(List<?> nodes) {
        if (!removes.isEmpty()) {
            removes.remove().run();
        }
        List<Node> left = line.nodes().stream()
                .filter(now -> nodes.stream().noneMatch(node -> now.isSame((Node) node)))
                .toList();
        boolean any = left.size() < line.nodes().size();
        line = new NodeQueue(line.set(), left);
        return any;
    }

    private Optional<Node> write(Node node, Details details) {
        if (!writes.isEmpty()) {
            writes.remove().run();
        }
        Optional<Node> now = read(List.of(node)).get(0).filter(found -> found.version() == node.version());
        return now.map(found -> change(found, details));
    }

    private CompletionStage<Optional<Node>> fix(Node node, Details details, long lease) {
        Optional<Node> fixed = write(node, details);
        fixed.ifPresent(now -> leases.add(lease));
        return fixes.isEmpty() ? CompletableFuture.completedStage(fixed) : fixes.remove();
    }

    /** Changes what a node says, as another one of its client's requests may. */
    private Node change(Node node, Details details) {
        Node next = node.with(node.version() + 1, details);
        List<Node> nodes = new ArrayList<>(line.nodes());
        nodes.replaceAll(found -> found.isSame(node) ? next : found);
        line = new NodeQueue(line.set(), nodes);
        return next;
    }

    private Node own() {
        return line.nodes().get(line.find(OWN));
    }

    @AfterEach
    void end() {
        store.close();
    }

    private static Request.Enter enter(int weight, boolean ifFree) {
        return enter(OWN, weight, ifFree);
    }

    private static Request.Enter enter(ClaimId id, int weight, boolean ifFree) {
        return Request.Enter.of("x", id, ClaimSpec.of(4, weight, LEASE).withIfFree(ifFree), 0, Owner.of("", "", 0, ""));
    }

    private static Node node(ClaimId id, int weight, int order) {
        Details details = new Details(weight, 0, false, false, LEASE, 0, 0, 0, Owner.of("", "", 0, ""));
        return new Node("x/" + order, id, 4, order, order * 64L, order, details);
    }

    private Optional<Position> entry(int weight) {
        line = new NodeQueue(Capacity.NONE, List.of(node(OTHER, 4, 1), node(OWN, weight, 2)));
        return Optional.of(new Position(line, line.nodes().get(1), Deadline.of(Moment.now(), LEASE * 1000)));
    }

    /** Lets the claim enter, alone. */
    private void hold(int weight) {
        hold(OWN, weight);
    }

    private void hold(ClaimId id, int weight) {
        line = new NodeQueue(Capacity.NONE, List.of(node(id, weight, 2)));
        Position entry = new Position(line, line.nodes().get(0), Deadline.of(Moment.now(), LEASE * 1000));
        enters.add(CompletableFuture.completedStage(Optional.of(entry)));
        assertThat(store.send(enter(id, weight, false)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
    }

    private CompletionStage<Answer> describe(long sequence, Owner owner) {
        return store.send(Request.Describe.of("x", OWN, sequence, owner));
    }

    private CompletableFuture<Answer> renew() {
        return store.renew(List.of(renewal(OWN, 128))).get(0);
    }

    private static Request.Renew renewal(ClaimId id, long sequence) {
        return Request.Renew.of("x", id, sequence, LEASE, 0, false);
    }

    private long count(String request) {
        return asked.stream().filter(request::equals).count();
    }

    /** Forgotten, its node would stand in the way of all who come after it, for as long as its client lives. */
    @Test
    void aWithdrawalThatFailsIsRepeated() {
        enters.add(CompletableFuture.completedStage(entry(3)));
        assertThat(store.send(enter(3, false))).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        line = new NodeQueue(Capacity.parse("2", 1).orElseThrow(), line.nodes()); // it can never be granted
        leaves.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        assertThat(renew()).isCompletedExceptionally();
        leaves.add(CompletableFuture.completedStage(true));
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
        assertThat(count("leave")).isEqualTo(2);
    }

    @Test
    void aTryThatIsToldBusyIsNotGrantedByWhatItSentBefore() {
        enters.add(CompletableFuture.completedStage(entry(4)));
        CompletableFuture<Boolean> withdrawing = new CompletableFuture<>();
        leaves.add(withdrawing);
        CompletionStage<Answer> first = store.send(enter(4, true));
        line = new NodeQueue(Capacity.NONE, line.nodes().subList(1, 2)); // the one before it goes
        leaves.add(withdrawing);
        CompletionStage<Answer> again = store.send(enter(4, true));
        withdrawing.complete(true);
        assertThat(first).isCompletedWithValueMatching(answer -> answer.state() == State.BUSY);
        assertThat(again).isCompletedWithValueMatching(answer -> answer.state() != State.GRANTED);
    }

    private static final Owner NEXT =
            Owner.of("client", "host", 1, "next").withThread("next", "order 7").withSince(1_700_000_000_000_000L);

    @Test
    void whoHasAClaimIsShownBesideWhatElseIsWrittenMeanwhile() {
        hold(4);
        writes.add(() -> change(own(), own().details().reweighted(3, 1)));
        assertThat(describe(128, NEXT))
                .isCompletedWithValueMatching(answer ->
                        answer.state() == State.GRANTED && answer.sequence() == 128 && answer.reweights() == 1);
        assertThat(own().details().owner()).isEqualTo(NEXT);
        assertThat(own().details().weight()).isEqualTo(3);
    }

    @Test
    void howManyWaitInsideIsWrittenBesideARenewalIfThatHasChanged() {
        hold(4);
        for (int waiters : new int[] {0, 2, 2}) {
            assertThat(store.send(Request.Renew.of("x", OWN, 128, LEASE, waiters, false)))
                    .isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        }
        assertThat(own().details().localWaiters()).isEqualTo(2);
        assertThat(asked).containsOnlyOnce("write");
    }

    @Test
    void ofAClaimThatIsNotAsNamedNothingIsWritten() {
        hold(4);
        assertThat(describe(129, NEXT)).isCompletedWithValueMatching(answer -> answer.sequence() == 128);
        assertThat(store.send(Request.Describe.of("x", OTHER, 128, NEXT)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
        assertThat(asked).doesNotContain("write");
    }

    @Test
    void aClaimThatIsGoneIsNotShownAsAnybodys() {
        hold(4);
        writes.add(() -> line = NodeQueue.EMPTY);
        assertThat(describe(128, NEXT)).isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    /** Somebody who writes on and on keeps nobody waiting. */
    @Test
    void anAnswerComesAlsoIfTheNodeIsWrittenAgainAndAgain() {
        hold(4);
        for (int i = 0; i < 100; i++) {
            writes.add(() -> change(own(), own().details()));
        }
        assertThat(describe(128, NEXT)).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        assertThat(writes).isNotEmpty();
    }

    /** Its owner would take it for refused. */
    @Test
    void aChangeOfWeightIsMadeAlsoIfTheNodeIsWrittenMeanwhile() {
        hold(4);
        writes.add(() -> change(own(), own().details().ownedBy(NEXT)));
        assertThat(store.send(Request.Reweight.of("x", OWN, 128, 0, 2)))
                .isCompletedWithValueMatching(answer -> answer.reweights() == 1);
        assertThat(own().details().weight()).isEqualTo(2);
        assertThat(own().details().owner()).isEqualTo(NEXT);
    }

    /** The node would shut out others for a weight that its owner does not have. */
    @Test
    void aRaiseIsTakenBackAlsoIfTheNodeIsWrittenMeanwhile() {
        hold(2);
        writes.add(() ->
                line = new NodeQueue(Capacity.NONE, List.of(own(), node(OTHER, 2, 3)))); // granted before the raise
        writes.add(() -> change(own(), own().details().ownedBy(NEXT)));
        assertThat(store.send(Request.Reweight.of("x", OWN, 128, 0, 4)))
                .isCompletedWithValueMatching(answer -> answer.refusal() != null);
        assertThat(own().details().weight()).isEqualTo(2);
        assertThat(own().details().owner()).isEqualTo(NEXT);
    }

    private CompletionStage<Answer> raise() {
        return store.send(Request.Reweight.of("x", OWN, 128, 0, 4));
    }

    /** Another one enters, who is granted beside the weight that is there. */
    private void otherEnters() {
        line = new NodeQueue(Capacity.NONE, List.of(own(), node(OTHER, 2, 3)));
    }

    private static boolean isRefused(Answer answer) {
        return answer.state() == State.GRANTED && answer.refusal() != null && answer.reweights() == 0;
    }

    private static boolean isMade(Answer answer) {
        return answer.state() == State.GRANTED && answer.refusal() == null && answer.reweights() == 1;
    }

    /** Else it counted as made, though another one was granted before it was written. */
    @Test
    void aRaiseWhoseAnswerWasLostIsCheckedByItsCopy() {
        hold(2);
        writes.add(this::otherEnters);
        lost.add(true);
        assertThat(raise()).isCompletedExceptionally();
        assertThat(own().details().weight()).isEqualTo(4);
        assertThat(describe(128, NEXT)).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isRefused);
        assertThat(own().details().weight()).isEqualTo(2);
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        line = new NodeQueue(Capacity.NONE, List.of(own()));
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isMade);
        assertThat(own().details().weight()).isEqualTo(4);
    }

    @Test
    void aRaiseWhoseAnswerWasLostIsMadeIfThereIsRoom() {
        hold(2);
        lost.add(true);
        assertThat(raise()).isCompletedExceptionally();
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isMade);
        assertThat(renew()).isCompletedWithValueMatching(NodeStoreTest::isMade);
        assertThat(store.send(Request.Reweight.of("x", OWN, 128, 1, 2)))
                .isCompletedWithValueMatching(answer -> answer.reweights() == 2);
        assertThat(own().details().weight()).isEqualTo(2);
    }

    @Test
    void aRaiseIsNotToldBeforeItIsChecked() {
        hold(2);
        CompletableFuture<NodeQueue> checking = new CompletableFuture<>();
        writes.add(() -> {
            otherEnters();
            lists.add(checking);
        });
        CompletionStage<Answer> first = raise();
        NodeQueue raised = line;
        assertThat(own().details().weight()).isEqualTo(4);
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isRefused);
        assertThat(own().details().weight()).isEqualTo(2);
        checking.complete(raised); // as it was then
        assertThat(first).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
    }

    /** Whoever comes behind a writer waits for it; a copy that takes it for granted takes nothing back. */
    @Test
    void aRaiseThatWasMadeStaysSoForItsCopies() {
        hold(2);
        CompletableFuture<NodeQueue> checking = new CompletableFuture<>();
        writes.add(() -> lists.add(checking));
        CompletionStage<Answer> first = raise();
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isMade);
        otherEnters();
        checking.complete(line);
        assertThat(first).isCompletedWithValueMatching(NodeStoreTest::isMade);
        assertThat(own().details().weight()).isEqualTo(4);
    }

    /** What a copy read before it was made is no reason to take it back. */
    @Test
    void aCopyThatComesLateFindsTheRaiseMade() {
        hold(2);
        CompletableFuture<NodeQueue> reading = new CompletableFuture<>();
        lists.add(reading);
        NodeQueue before = line;
        CompletionStage<Answer> late = raise();
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isMade);
        otherEnters();
        reading.complete(before);
        assertThat(late).isCompletedWithValueMatching(NodeStoreTest::isMade);
        assertThat(own().details().weight()).isEqualTo(4);
    }

    @Test
    void aRaiseThatWasTakenBackWithoutAnAnswerIsRefused() {
        hold(2);
        writes.add(this::otherEnters);
        lost.addAll(List.of(false, true));
        assertThat(raise()).isCompletedExceptionally();
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        assertThat(raise()).isCompletedWithValueMatching(NodeStoreTest::isRefused);
        assertThat(own().details().weight()).isEqualTo(2);
    }

    /** Its write comes after a copy of it was told that there is no room: nobody would take it back. */
    @Test
    void aRaiseThatWasRefusedIsNotMadeByAnEarlierCopy() {
        hold(2);
        List<CompletionStage<Answer>> copies = new ArrayList<>();
        writes.add(() -> {
            otherEnters();
            copies.add(raise());
        });
        lost.add(false);
        lost.add(true);
        raise();
        assertThat(copies)
                .singleElement()
                .satisfies(copy -> assertThat(copy).isCompletedWithValueMatching(NodeStoreTest::isRefused));
        assertThat(own().details().weight()).isEqualTo(2);
    }

    /** Of what is given back and stays taken the end is made first, and then the weight that its owner had. */
    @Test
    void anEndThatIsMadeMeanwhileCountsMore() {
        hold(2);
        writes.add(this::otherEnters);
        lost.add(true);
        assertThat(raise()).isCompletedExceptionally();
        assertThat(fix(1, 900_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 2, 900_000_000L));
        assertThat(raise()).isCompletedWithValueMatching(answer -> answer.reweights() == 2);
        assertThat(store.send(Request.Reweight.of("x", OWN, 128, 2, 2)))
                .isCompletedWithValueMatching(answer -> answer.reweights() == 3);
        assertThat(own().details().weight()).isEqualTo(2);
    }

    /** The leave itself ends its node, or has the enter refused; a second one beside it could take it for lost. */
    @Test
    void anEnterThatWasLeftMeanwhileLeavesNothingMoreToDo() {
        CompletableFuture<Optional<Position>> entering = new CompletableFuture<>();
        enters.add(entering);
        CompletionStage<Answer> entered = store.send(enter(4, false));
        leaves.add(CompletableFuture.completedStage(true));
        assertThat(store.send(Request.Leave.of("x", OWN, true)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.LEFT);
        entering.complete(entry(4));
        assertThat(entered).isCompletedWithValueMatching(answer -> answer.state() == State.REFUSED);
        assertThat(count("leave")).isEqualTo(1);
    }

    private CompletionStage<Answer> fix(int reweights, long lease) {
        return store.send(Request.Fix.of("x", OWN, 128, reweights, lease));
    }

    private static boolean runs(Answer answer, int reweights, long lease) {
        return answer.state() == State.GRANTED
                && answer.reweights() == reweights
                && Math.abs(answer.deadline() - answer.time() - lease) < 60_000_000; // the machine may be slow
    }

    @Test
    void anEndIsMovedLaterAndEarlierAndRenewedNoMore() {
        hold(4);
        assertThat(fix(0, 3_600_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 1, 3_600_000_000L));
        assertThat(own().details().fixedLease()).isEqualTo(3_600_000_000L);
        assertThat(fix(1, 900_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 2, 900_000_000L));
        assertThat(renew()).isCompletedWithValueMatching(answer -> runs(answer, 2, 900_000_000L));
        assertThat(store.send(Request.Yield.of("x", OWN, 128, LEASE, 0)))
                .isCompletedWithValueMatching(answer -> answer.sequence() == 128);
        assertThat(asked).doesNotContain("renew", "requeue");
        assertThat(leases).containsExactly(3_600_000_000L, 900_000_000L);
    }

    @Test
    void anOlderCopyChangesNothing() {
        hold(4);
        assertThat(fix(4, 900_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 5, 900_000_000L));
        assertThat(fix(3, 3_600_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 5, 900_000_000L));
        assertThat(own().details().fixedLease()).isEqualTo(900_000_000L);
    }

    /** The older one read the node before the later one wrote it. */
    @Test
    void ofTwoOnTheirWayTheLaterOneCounts() {
        hold(4);
        writes.add(() -> assertThat(fix(1, 900_000_000L)).isCompleted());
        assertThat(fix(0, 3_600_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 2, 900_000_000L));
        assertThat(leases).containsExactly(900_000_000L);
    }

    @Test
    void anEndIsMovedAlsoIfTheNodeIsWrittenMeanwhile() {
        hold(4);
        writes.add(() -> change(own(), own().details().ownedBy(NEXT)));
        assertThat(fix(0, 900_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 1, 900_000_000L));
        assertThat(own().details().owner().client()).isEqualTo(NEXT.client());
    }

    /** Asked once more it finds the end where it put it, not so much later. */
    @Test
    void anAnswerThatWasLostIsMadeUpFor() {
        hold(4);
        fixes.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        assertThat(fix(0, 900_000_000L)).isCompletedExceptionally();
        assertThat(fix(0, 3_600_000_000L)).isCompletedWithValueMatching(answer -> runs(answer, 1, 900_000_000L));
        assertThat(leases).containsExactly(900_000_000L);
    }

    @Test
    void aClaimThatIsNotHeldAsNamedIsNotFixed() {
        hold(4);
        assertThat(store.send(Request.Fix.of("x", OWN, 129, 0, LEASE)))
                .isCompletedWithValueMatching(answer -> answer.reweights() == 0);
        line = new NodeQueue(Capacity.NONE, List.of(own(), node(OTHER, 4, 3)));
        assertThat(store.send(Request.Fix.of("x", OTHER, 192, 0, LEASE)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        assertThat(store.send(Request.Fix.of("x", ClaimId.of(3, 1), 192, 0, LEASE)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
        assertThat(asked).doesNotContain("fix", "write");
    }

    @Test
    void aClaimThatWaitsIsNotFixed() {
        enters.add(CompletableFuture.completedStage(entry(4)));
        assertThat(store.send(enter(4, false))).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        assertThat(fix(0, LEASE)).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        assertThat(asked).doesNotContain("fix");
    }

    private static final Request.Enter FIXED = Request.Enter.of(
            "x", OWN, ClaimSpec.of(4, 4, LEASE).withFixedLease(900_000_000L), 0, Owner.of("", "", 0, ""));

    /** The next enter makes that node, which is the last of the queue. */
    private void entersAs(Node... nodes) {
        NodeQueue then = new NodeQueue(Capacity.NONE, List.of(nodes));
        Node its = nodes[nodes.length - 1];
        entersBegin.add(() -> line = then);
        enters.add(CompletableFuture.completedStage(
                Optional.of(new Position(then, its, Deadline.of(Moment.now(), LEASE * 1000)))));
    }

    /** Its holder would believe the shared lease, which does not keep it. */
    @Test
    void noneIsToldToHaveWhatHasNotBegunUnderTheNodeThatIsThere() {
        entersAs(node(OWN, 4, 2));
        CompletableFuture<Optional<Node>> first = new CompletableFuture<>();
        fixes.addAll(List.of(first, new CompletableFuture<>()));
        CompletionStage<Answer> told = store.send(FIXED);
        line = NodeQueue.EMPTY; // its node goes, and nobody tells
        entersAs(node(OWN, 4, 3));
        CompletionStage<Answer> again = store.send(FIXED);
        assertThat(count("fix")).as("the other one is not answered").isEqualTo(2);
        first.complete(Optional.empty());
        assertThat(told).as("it asks again").isCompletedExceptionally();
        assertThat(again).isNotCompleted();
    }

    @Test
    void aFixedLeaseBeginsAnewUnderAnotherNode() {
        entersAs(node(OWN, 4, 2));
        assertThat(store.send(FIXED)).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        line = NodeQueue.EMPTY; // its node goes, and nobody tells
        entersAs(node(OTHER, 4, 3), node(OWN, 4, 4));
        assertThat(store.send(FIXED)).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        line = new NodeQueue(Capacity.NONE, List.of(own()));
        CompletionStage<Answer> renewed =
                store.renew(List.of(renewal(OWN, 256))).get(0);
        assertThat(renewed).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        assertThat(leases).containsExactly(900_000_000L, 900_000_000L);
    }

    /** Its holder was told until when it lasts. */
    @Test
    void aFixedLeaseBeginsOnceAlsoIfItsEnterIsSentAgain() {
        entersAs(node(OWN, 4, 2));
        CompletableFuture<Optional<Node>> first = new CompletableFuture<>();
        CompletableFuture<Optional<Node>> second = new CompletableFuture<>();
        fixes.addAll(List.of(first, second));
        CompletionStage<Answer> told = store.send(FIXED);
        CompletionStage<Answer> again = store.send(FIXED);
        first.complete(Optional.of(own()));
        assertThat(told).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        second.complete(Optional.empty()); // the node has changed since it was read
        assertThat(again).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        assertThat(count("fix")).as("it is not tried again").isEqualTo(2);
    }

    /** A watch or a look may grant it at any time. */
    @Test
    void aFixedLeaseBeginsAlsoIfItIsGrantedWhileItIsRenewed() {
        enters.add(CompletableFuture.completedStage(entry(4)));
        assertThat(store.send(FIXED)).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        line = new NodeQueue(Capacity.NONE, List.of(own())); // the one before it goes, and nobody tells
        assertThat(renew()).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        assertThat(renew()).isCompletedWithValueMatching(answer -> runs(answer, 0, 900_000_000L));
        assertThat(leases).containsExactly(900_000_000L);
    }

    @Test
    void whatIsToStayTakenForLongerIsNotEndedByTheEndBefore() {
        hold(4);
        assertThat(fix(0, 1)).isCompleted();
        CompletableFuture<Optional<Node>> moved = new CompletableFuture<>();
        fixes.add(moved);
        fix(1, 900_000_000L);
        hold(ClaimId.of(1, 2), 4);
        assertThat(asked).as("the end before is over").doesNotContain("leave");
        moved.completeExceptionally(StoreException.unreachable("there is no connection", null));
        hold(ClaimId.of(1, 3), 4);
        assertThat(asked).as("it may have been moved").doesNotContain("leave");
    }

    /** Whoever gave it back with a delay does not speak of it again. */
    @Test
    void aClaimIsForgottenAfterItsEnd() {
        hold(4);
        assertThat(fix(0, 1)).isCompleted();
        leaves.add(CompletableFuture.completedStage(true));
        hold(ClaimId.of(1, 2), 4);
        assertThat(leaves).isEmpty();
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    /** As in an outage, after which a service may give its lease the whole time anew. */
    @Test
    void aClaimThatCouldNotBeLeftAfterItsEndIsLeftAgainSoon() {
        hold(4);
        assertThat(fix(0, 1)).isCompleted();
        leaves.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        hold(ClaimId.of(1, 2), 4);
        assertThat(leaves).isEmpty();
        leaves.add(CompletableFuture.completedStage(true));
        AtomicInteger next = new AtomicInteger(3);
        await().until(() -> {
            hold(ClaimId.of(1, next.getAndIncrement()), 4);
            return leaves.isEmpty();
        });
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    /** Where there is no connection a leave fails within the call. */
    @Test
    void claimsThatCannotBeLeftAtAllAreTriedOnceAtATime() {
        for (int i = 0; i < 400; i++) {
            leaves.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        }
        for (int number = 1; number <= 100; number++) {
            hold(ClaimId.of(1, number), 4);
            assertThat(store.send(Request.Fix.of("x", ClaimId.of(1, number), 128, 0, 1)))
                    .isCompleted();
        }
        AtomicInteger next = new AtomicInteger(1_000);
        await().until(() -> {
            hold(ClaimId.of(1, next.getAndIncrement()), 4);
            return count("leave") >= 200;
        });
        assertThat(leaves).isNotEmpty();
    }

    /** Its client would ask on and on. */
    @Test
    void aClaimThatMayNotBeLeftAfterItsEndIsForgotten() {
        hold(4);
        assertThat(fix(0, 1)).isCompleted();
        leaves.add(CompletableFuture.failedStage(StoreException.unusable("that is denied", null)));
        hold(ClaimId.of(1, 2), 4);
        assertThat(leaves).isEmpty();
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    @Test
    void aClaimIsKnownUntilItsEndAndLeftOnce() {
        hold(4);
        assertThat(fix(0, 900_000_000L)).isCompleted();
        hold(ClaimId.of(1, 2), 4);
        assertThat(asked).doesNotContain("leave");
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        leaves.add(CompletableFuture.completedStage(true));
        assertThat(store.send(Request.Leave.of("x", OWN, false)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.LEFT);
        hold(ClaimId.of(1, 3), 4);
        assertThat(count("leave")).isEqualTo(1);
    }

    /** Else it would be told that nobody had the lock, though somebody had it all the while. */
    @Test
    void whoIsHandedTheLockMeanwhileLosesItByForceAllTheSame() {
        line = new NodeQueue(Capacity.NONE, List.of(node(OWN, 4, 1), node(OTHER, 4, 2)));
        removes.add(() -> line = new NodeQueue(Capacity.NONE, List.of(node(OTHER, 4, 2), node(OWN, 4, 3))));
        assertThat(store.send(Request.Evict.of("x")))
                .isCompletedWithValueMatching(answer -> answer.state() == State.LEFT);
        assertThat(line.nodes()).extracting(Node::order).containsExactly(3L);
        line = new NodeQueue(Capacity.NONE, List.of());
        assertThat(store.send(Request.Evict.of("x")))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    @Test
    void aLockThatIsHandedOnAgainAndAgainIsNotToldToBeNobodys() {
        line = new NodeQueue(Capacity.NONE, List.of(node(OWN, 4, 1)));
        for (int i = 0; i < 20; i++) {
            int order = i + 2;
            removes.add(() -> line = new NodeQueue(Capacity.NONE, List.of(node(OWN, 4, order))));
        }
        assertThat(store.send(Request.Evict.of("x"))).isCompletedExceptionally();
    }

    private void waits(int weight) {
        enters.add(CompletableFuture.completedStage(entry(weight)));
        assertThat(store.send(enter(weight, false)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
    }

    /** Nobody passes it over: an election of the service just then need not take the lock away. */
    @Test
    void whoWaitedIsGrantedItForAsLongAsItsNodeLasts() {
        waits(2);
        line = new NodeQueue(line.set(), List.of(own()));
        goes.forEach(Runnable::run);
        assertThat(pushes).hasSize(1).allSatisfy(push -> {
            assertThat(push.granted()).isTrue();
            assertThat(push.deadline() - push.time()).isGreaterThan(2 * Resource.PICK_UP);
        });
    }

    /** It was granted by a number of permits that there is no more, and lost once that was known. */
    @Test
    void aClaimIsNotGrantedByACapacityOfBefore() {
        waits(2);
        set("1"); // by somebody else
        line = new NodeQueue(line.set(), List.of(own()));
        goes.forEach(Runnable::run); // whom it waits for
        assertThat(pushes).as("that it is to ask, and no grant").hasSize(1).allMatch(push -> push.server() == -1);
        leaves.add(CompletableFuture.completedStage(true));
        assertThat(renew())
                .as("it is too heavy now")
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    /** Whoever began the change may have died; nobody is granted anything before it is over. */
    @Test
    void aChangeThatWasBegunIsEndedByWhoeverLooks() {
        waits(2);
        line = new NodeQueue(line.set(), List.of(node(OTHER, 3, 1), own()));
        set("2-was-4");
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        assertThat(line.set().text()).isEqualTo("2-granted-1");
        line = new NodeQueue(line.set(), List.of(own()));
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        assertThat(line.set().text()).isEqualTo("2");
    }

    /** Each of them would read all of them, every two seconds. */
    @Test
    void manyWhoWaitReadTheQueueOnce() {
        List<Node> nodes = new ArrayList<>(List.of(node(OTHER, 4, 1)));
        List<Request.Renew> renewals = new ArrayList<>();
        for (int i = 2; i < 100; i++) {
            Node own = node(ClaimId.of(1, i), 1, i);
            nodes.add(own);
            line = new NodeQueue(Capacity.NONE, nodes);
            enters.add(CompletableFuture.completedStage(
                    Optional.of(new Position(line, own, Deadline.of(Moment.now(), LEASE * 1000)))));
            assertThat(store.send(enter(own.id(), 1, false)))
                    .isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
            renewals.add(renewal(own.id(), own.sequence()));
        }
        CompletableFuture<NodeQueue> reading = new CompletableFuture<>();
        lists.add(reading);
        List<CompletableFuture<Answer>> answers = store.renew(renewals);
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        reading.complete(new NodeQueue(Capacity.NONE, nodes.subList(1, 6)));
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(answers.stream().filter(answer -> answer.join().state() == State.GRANTED))
                .as("those for whom there is room now")
                .hasSize(4);
        assertThat(count("list")).isEqualTo(1);
        assertThat(store.renew(renewals)).allMatch(CompletableFuture::isDone);
        assertThat(count("list")).as("the next time it is read again").isGreaterThan(1);
    }

    @Test
    void whoIsGrantedStaysSoWhenItEntersOnceMore() {
        hold(4);
        set("2-granted-2");
        assertThat(store.send(enter(4, false))).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        assertThat(asked).doesNotContain("leave");
    }

    /** What comes of it would take away the node of the later one. */
    @Test
    void anEnterThatWasOvertakenByAnotherOneEndsNothing() {
        CompletableFuture<Optional<Position>> entering = new CompletableFuture<>();
        enters.add(entering);
        CompletionStage<Answer> first = store.send(enter(4, false));
        leaves.add(CompletableFuture.completedStage(false));
        assertThat(store.send(Request.Leave.of("x", OWN, false))).isCompleted();
        CompletionStage<Answer> again = store.send(enter(4, false));
        Optional<Position> entry = entry(4);
        enters.add(CompletableFuture.completedStage(entry));
        entering.complete(entry);
        assertThat(first).isCompletedExceptionally();
        assertThat(again).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING);
        assertThat(count("leave")).isEqualTo(1);
    }

    /** All who come after it for that lock would wait for as long as their client lives. */
    @Test
    void anEnterThatThrowsKeepsNobodyWaiting() {
        assertThat(store.send(enter(4, false))).isCompletedExceptionally(); // its answer is not prepared
        hold(ClaimId.of(1, 2), 4);
    }

    /** As in an outage: whose time to wait is over leave while the first of them is still being asked for. */
    @Test
    void manyWhoLeaveBeforeTheirTurnKeepNobodyWaiting() {
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        enters.add(first);
        store.send(enter(4, false));
        List<CompletionStage<Answer>> others = new ArrayList<>();
        for (int i = 2; i < MANY; i++) {
            others.add(store.send(enter(ClaimId.of(1, i), 4, false)));
        }
        for (int i = 2; i < MANY; i++) {
            leaves.add(CompletableFuture.completedStage(false));
            store.send(Request.Leave.of("x", ClaimId.of(1, i), true));
        }
        first.complete(entry(4));
        assertThat(others).map(CompletionStage::toCompletableFuture).allMatch(CompletableFuture::isDone);
        assertThat(count("enter")).isEqualTo(1);
        hold(ClaimId.of(1, MANY), 4);
        assertThat(store.inspect("x")).isCompleted();
    }

    /** It is sent again every two seconds: all who come later would wait for each copy of it to have its turn. */
    @Test
    void anEnterThatIsSentAgainTakesOneTurn() {
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        CompletableFuture<Optional<Position>> second = new CompletableFuture<>();
        enters.add(first);
        enters.add(second);
        CompletionStage<Answer> other = store.send(enter(OTHER, 4, false));
        List<CompletionStage<Answer>> copies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            copies.add(store.send(enter(4, false)));
        }
        Optional<Position> entry = entry(4);
        first.complete(Optional.of(new Position(line, line.nodes().get(0), Deadline.of(Moment.now(), LEASE * 1000))));
        copies.add(store.send(enter(4, false)));
        second.complete(entry);
        assertThat(other).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
        assertThat(copies)
                .allSatisfy(copy ->
                        assertThat(copy).isCompletedWithValueMatching(answer -> answer.state() == State.WAITING));
        assertThat(count("enter")).isEqualTo(2);
    }

    /** Nothing was done, or nobody knows: only another one can tell. */
    @Test
    void anEnterThatFailedIsMadeAgain() {
        enters.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        assertThat(store.send(enter(4, false))).isCompletedExceptionally();
        hold(4);
        assertThat(count("enter")).isEqualTo(2);
    }

    /** A second node beside one that could not be ended would be nobody's, for as long as the client lives. */
    @Test
    void ofWhatIsRefusedThereIsOneNode() {
        entry(3);
        set("2");
        Position entry = new Position(line, own(), Deadline.of(Moment.now(), LEASE * 1000));
        enters.add(CompletableFuture.completedStage(Optional.of(entry)));
        leaves.add(CompletableFuture.failedStage(StoreException.unreachable("there is no connection", null)));
        assertThat(store.send(enter(3, false))).isCompletedExceptionally();
        leaves.add(CompletableFuture.completedStage(true));
        assertThat(store.send(enter(3, false))).isCompletedWithValueMatching(answer -> answer.state() == State.REFUSED);
        assertThat(count("enter")).isEqualTo(1);
        assertThat(count("leave")).isEqualTo(2);
    }

    /** Observers look at each third of a lease: behind an answer that is late, hundreds of them would keep others waiting. */
    @Test
    void looksThatWaitForTheirTurnAreOne() {
        hold(4);
        CompletableFuture<NodeQueue> late = new CompletableFuture<>();
        CompletionStage<?> first = lookAnsweredBy(late);
        List<CompletionStage<?>> more = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            more.add(store.inspect("x"));
        }
        more.get(0).toCompletableFuture().cancel(false);
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        leaves.add(left);
        store.send(Request.Leave.of("x", OWN, false));
        CompletionStage<Store.Snapshot> behind = store.inspect("x");
        long before = count("list");
        late.complete(line);
        assertThat(first).isCompleted();
        assertThat(more.subList(1, 100)).allSatisfy(look -> assertThat(look).isCompleted());
        assertThat(count("list") - before).isEqualTo(1);
        assertThat(behind).as("what it is to show is not done").isNotDone();
        line = NodeQueue.EMPTY;
        left.complete(true);
        assertThat(behind).isCompletedWithValueMatching(seen -> seen.resource().isEmpty());
    }

    /** A wall clock that was put ahead looks like a suspension: what lasts is proven before anybody is told that it is over. */
    @Test
    void afterASuspensionItIsProvenThatANodeLasts() {
        line = new NodeQueue(Capacity.NONE, List.of(node(OWN, 4, 2)));
        enters.add(CompletableFuture.completedStage(Optional.of(new Position(line, own(), provenBeforeASuspension()))));
        store.send(enter(4, false));
        assertThat(count("renew")).isZero();
        assertThat(describe(128, Owner.of("", "", 0, "")))
                .isCompletedWithValueMatching(answer -> answer.deadline() > answer.time());
        assertThat(count("renew")).isOne();
        assertThat(describe(128, Owner.of("", "", 0, ""))).isCompleted();
        assertThat(count("renew")).as("it is proven").isOne();
    }

    /** A lease that many share is kept alive for all of them at once: that may have been asked for before the suspension. */
    @Test
    void aRenewalIsNotAnsweredByAProofFromBeforeASuspension() {
        hold(4);
        renewals.add(provenBeforeASuspension());
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.deadline() > answer.time());
        assertThat(count("renew")).isEqualTo(2);
    }

    private static Deadline provenBeforeASuspension() {
        Moment now = Moment.now();
        return Deadline.of(new Moment(now.nanos() - 1, now.wallOffset() - LEASE / 1000 - 1_000), LEASE * 1000);
    }

    private CompletionStage<?> lookAnsweredBy(CompletionStage<NodeQueue> answer) {
        lists.add(answer);
        return store.inspect("x");
    }

    private CompletionStage<Answer> yields(long sequence, CompletionStage<Optional<Position>> answer) {
        requeues.add(answer);
        return store.send(Request.Yield.of("x", OWN, sequence, LEASE, 0));
    }

    private Optional<Position> moved(int order) {
        line = new NodeQueue(Capacity.NONE, List.of(node(OWN, 4, order)));
        return Optional.of(new Position(line, own(), Deadline.of(Moment.now(), LEASE * 1000)));
    }

    /** Who reads names, and then what they say, sees neither the former node nor the next one. */
    @Test
    void whatIsMovedMeanwhileIsNotTakenForGone() {
        hold(4);
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        CompletionStage<Answer> moving = yields(128, first);
        lists.add(CompletableFuture.completedStage(NodeQueue.EMPTY));
        assertThat(yields(128, CompletableFuture.completedStage(Optional.empty())))
                .isCompletedExceptionally();
        first.complete(moved(3));
        assertThat(moving).isCompletedWithValueMatching(answer -> answer.sequence() == 192);
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.state() == State.GRANTED);
    }

    @Test
    void whatWasMovedSinceItWasLookedForIsNotTakenForGone() {
        hold(4);
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        CompletionStage<Answer> copy = yields(128, first);
        assertThat(yields(128, CompletableFuture.completedStage(moved(3))))
                .isCompletedWithValueMatching(answer -> answer.sequence() == 192);
        CompletableFuture<NodeQueue> look = new CompletableFuture<>();
        lists.add(look);
        first.complete(Optional.empty());
        assertThat(yields(192, CompletableFuture.completedStage(moved(4))))
                .isCompletedWithValueMatching(answer -> answer.sequence() == 256);
        look.complete(NodeQueue.EMPTY);
        assertThat(copy).isCompletedExceptionally();
        assertThat(renew()).isCompletedWithValueMatching(answer -> answer.sequence() == 256);
    }

    /** Else the client would tell that its store fails. */
    @Test
    void aRenewalOfWhatIsMovedMeanwhileIsNoFailure() {
        hold(4);
        CompletableFuture<NodeQueue> look = new CompletableFuture<>();
        lists.add(look);
        isGone = true;
        CompletableFuture<Answer> renewal = renew();
        CompletableFuture<Optional<Position>> next = new CompletableFuture<>();
        CompletionStage<Answer> moving = yields(128, next);
        look.complete(NodeQueue.EMPTY);
        assertThat(renewal).isCompletedWithValueMatching(answer -> answer.sequence() == 128);
        next.complete(moved(3));
        assertThat(moving).isCompletedWithValueMatching(answer -> answer.sequence() == 192);
    }

    @Test
    void anEnterThatIsSentAgainMakesNoNodeBesideOneThatIsMoved() {
        hold(4);
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        CompletionStage<Answer> moving = yields(128, first);
        lists.add(CompletableFuture.completedStage(NodeQueue.EMPTY));
        assertThat(store.send(enter(4, false))).isCompletedExceptionally();
        first.complete(moved(3));
        assertThat(moving).isCompletedWithValueMatching(answer -> answer.sequence() == 192);
        assertThat(count("enter")).isEqualTo(1);
    }

    /** Its claim may have gone to the end of the queue meanwhile: a second node would be nobody's. */
    @Test
    void anEnterThatHasItsTurnOnceItsClaimHasANodeIsNotSent() {
        CompletableFuture<Optional<Position>> first = new CompletableFuture<>();
        CompletableFuture<NodeQueue> settling = new CompletableFuture<>();
        CompletableFuture<NodeQueue> look = new CompletableFuture<>();
        enters.add(first);
        store.send(enter(4, false));
        lists.add(settling);
        lists.add(look);
        store.inspect("x");
        line = new NodeQueue(Capacity.parse("4-was-5", 1).orElseThrow(), List.of(node(OWN, 4, 2)));
        first.complete(Optional.of(new Position(line, own(), Deadline.of(Moment.now(), LEASE * 1000))));
        CompletionStage<Answer> copy = store.send(enter(4, false));
        line = new NodeQueue(Capacity.parse("4", 2).orElseThrow(), line.nodes());
        settling.complete(line);
        assertThat(yields(128, CompletableFuture.completedStage(moved(3)))).isCompleted();
        look.complete(line);
        assertThat(copy).isCompletedWithValueMatching(answer -> answer.sequence() == 192);
        assertThat(count("enter")).isEqualTo(1);
    }

    /** A service that does not know of its enter yet would find nothing, and make the node after that. */
    @Test
    void aNodeThatIsMadeForAClaimThatIsLeftMeanwhileIsLeft() {
        enters.add(new CompletableFuture<>());
        List<CompletionStage<Answer>> left = new ArrayList<>();
        List<Long> early = new ArrayList<>();
        entersBegin.add(() -> {
            leaves.add(CompletableFuture.completedStage(true));
            leaves.add(CompletableFuture.completedStage(true));
            left.add(store.send(Request.Leave.of("x", OWN, true)));
            early.add(count("leave"));
            enters.remove();
            enters.add(CompletableFuture.completedStage(moved(3)));
        });
        assertThat(store.send(enter(4, false))).isCompletedWithValueMatching(answer -> answer.state() == State.REFUSED);
        assertThat(early).containsExactly(0L);
        assertThat(left).singleElement().satisfies(leave -> assertThat(leave).isCompleted());
        assertThat(count("leave")).isEqualTo(2);
    }

    @Test
    void whatCannotBeAskedToMoveIsNotTakenForMoved() {
        hold(4);
        assertThat(store.send(Request.Yield.of("x", OWN, 128, LEASE, 0)))
                .as("nothing is prepared to answer it")
                .isCompletedExceptionally();
        line = NodeQueue.EMPTY;
        assertThat(yields(128, CompletableFuture.completedStage(Optional.empty())))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    /** The first one was made, and a watch tells so; its own answer comes last. */
    @Test
    void anEndIsNotShownUnderTheNumberOfALaterOne() {
        hold(4);
        CompletableFuture<Optional<Node>> first = new CompletableFuture<>();
        fixes.add(first);
        CompletionStage<Answer> longer = fix(0, 3_600_000_000L);
        Optional<Node> made = Optional.of(own());
        fixes.add(CompletableFuture.completedStage(Optional.empty())); // the node has changed since it was read
        fixes.add(new CompletableFuture<>());
        fix(1, 900_000_000L);
        assertThat(own().details().reweights()).isEqualTo(2);
        assertThat(describe(128, Owner.of("", "", 0, ""))).isCompleted();
        first.complete(made);
        assertThat(longer).isCompletedWithValueMatching(answer -> runs(answer, 2, 900_000_000L));
    }

    @Test
    void whatIsGoneWhereItWasNotMovedIsGone() {
        hold(4);
        line = NodeQueue.EMPTY;
        assertThat(yields(128, CompletableFuture.completedStage(Optional.empty())))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    @Test
    void aCapacityIsSetBesideAnother() {
        line = new NodeQueue(Capacity.NONE, List.of(node(OTHER, 3, 1)));
        resizes.add(() -> set("4"));
        assertThat(store.send(Request.Resize.of("x", 2))).isCompleted();
        assertThat(line.set().text()).isEqualTo("2-granted-1");
        assertThat(store.send(Request.Resize.of("x", 0)))
                .isCompletedWithValueMatching(answer -> answer.state() == State.GONE);
    }

    @Test
    void aCapacityThatIsChangedOnAndOnIsNotWaitedFor() {
        for (int i = 3; i < 100; i++) {
            String size = String.valueOf(i);
            resizes.add(() -> set(size));
        }
        assertThat(store.send(Request.Resize.of("x", 2))).isCompletedExceptionally();
        assertThat(resizes).isNotEmpty();
    }

    /** Nothing would end the node of somebody who dies then: it would be granted later. */
    @Test
    void whatNoClientOwnsIsNotMadeWhereThereIsNoRoom() {
        line = new NodeQueue(Capacity.NONE, List.of(node(OTHER, 4, 1)));
        CompletionStage<Answer> answer = store.send(enter(ClaimId.of(ClaimId.NOBODY, 1), 2, true));
        assertThat(answer).isCompletedWithValueMatching(told -> told.state() == State.BUSY);
        assertThat(asked).contains("list").doesNotContain("enter");
    }
}
