package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store made of stores: a claim that has a lock on a majority of its members has the lock. To the engine it looks
 * like any other, one that has one queue place for all; its time is that of this client, as nobody else sees its
 * answers.
 */
final class QuorumStore implements Store {
    private static final String LOCKS_ONLY = "a quorum has exclusive locks alone, neither semaphores nor read locks";

    private final Quorum quorum;
    private final Listener listener;
    private final ReleaseSignals signals;
    private final AnswerFactory own;
    private final Map<Long, QuorumClaim> claims = new HashMap<>();
    private final FixedClaims<QuorumClaim> fixed = new FixedClaims<>();
    private long attempts;
    private volatile Capabilities capabilities = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true);
    private volatile boolean closed;

    QuorumStore(Quorum quorum, Listener listener) {
        this.quorum = quorum;
        this.listener = listener;
        signals = new ReleaseSignals(quorum);
        own = new AnswerFactory(quorum);
    }

    /** Returns the listener that is told of a member's pushes. */
    Listener of(Member member) {
        return new Listener() {
            @Override
            public void pushed(Push push) {
                quorum.loop.run(() -> QuorumStore.this.pushed(member, push));
            }

            @Override
            public void reconnected() {
                quorum.loop.run(() -> QuorumStore.this.reconnected(member));
            }
        };
    }

    /** Takes a member's connected store into use. Returns whether it did; if not, the caller closes the store. */
    boolean use(Member member, Store store) {
        if (closed) {
            return false;
        }
        Capabilities its = store.capabilities();
        Capabilities ours = capabilities;
        capabilities = Capabilities.none()
                .withPush(ours.push() && its.push())
                .withLeasePerClaim(ours.leasePerClaim() && its.leasePerClaim())
                .withDurableTokens(ours.durableTokens() && its.durableTokens())
                .withExpiry(ours.expiry() && its.expiry());
        member.use(store);
        return true;
    }

    void reconnected(Member member) {
        signals.disarm(member);
        listener.reconnected();
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    boolean isClosed() {
        return closed;
    }

    ReleaseSignals signals() {
        return signals;
    }

    void push(Push push) {
        listener.pushed(push);
    }

    /** Returns the number of a new attempt to have a lock; all locks are counted together. */
    long nextAttempt() {
        return ++attempts;
    }

    void remove(ClaimId id) {
        fixed.remove(claims.remove(id.number()));
    }

    /** Returns how many claims there are, and names that they wait for, to see that nothing is left behind. */
    int size() {
        return claims.size() + signals.size();
    }

    /** Returns why there is no majority, for the user. */
    String trouble() {
        return trouble(null);
    }

    /**
     * Returns why there is no majority for one claim.
     *
     * @param own why a member failed this claim that answers others; null if none did
     */
    String trouble(@Nullable StoreException own) {
        String troubles = troubles(own);
        return "fewer than " + quorum.majority + " of the " + quorum.size + " members of the quorum answer; "
                + (troubles.isEmpty() ? "they answer again by now" : troubles);
    }

    /** Returns what is wrong with the members, each by its name. */
    String troubles(@Nullable StoreException own) {
        List<String> those = new ArrayList<>();
        for (Member member : quorum.members) {
            StoreException why = member.trouble();
            if (why != null) {
                those.add(member.label + ": " + why.getMessage());
            }
        }
        if (those.isEmpty() && own != null) {
            those.add(String.valueOf(own.getMessage()));
        }
        return String.join("; ", those);
    }

    private void pushed(Member member, Push push) {
        List<ReleaseSignals.Waiter> heard = signals.heard(member, push);
        heard.forEach(ReleaseSignals.Waiter::signalled);
        QuorumClaim claim = claims.get(QuorumClaim.number(push.id()));
        if (claim != null && push.resource().endsWith(Place.QUEUE)) {
            claim.place().pushed(push);
            return;
        }
        if (!heard.isEmpty() || claim == null || !claim.isNow(push)) {
            return;
        }
        if (!push.granted()) {
            claim.taken(member);
        } else if (push.wanted()) {
            claim.wanted();
        }
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Objects.requireNonNull(request, "request");
        return step(() -> run(request));
    }

    /** Runs a step whose answer may come later. */
    private <T> CompletionStage<T> step(Supplier<CompletionStage<T>> step) {
        if (closed) {
            return failed();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        quorum.loop.run(() -> step.get().whenComplete(Outcome.to(result)));
        return result;
    }

    private static <T> CompletionStage<T> failed() {
        return CompletableFuture.failedStage(StoreException.unusable("the client was closed", null));
    }

    private CompletionStage<Answer> run(Request request) {
        if (request instanceof Request.Enter enter) {
            return enter(enter);
        } else if (request instanceof Request.Renew renew) {
            return renewOne(renew);
        } else if (request instanceof Request.Evict evict) {
            return evict(evict);
        } else if (request instanceof Request.Leave leave && leave.id().client() != quorum.client) {
            return end(leave.resource(), (member, then) -> leave(member, leave, then));
        } else if (!(request instanceof Request.OfClaim about)) {
            return CompletableFuture.failedStage(StoreException.unusable(LOCKS_ONLY, null));
        } else {
            QuorumClaim claim = claims.get(about.id().number());
            if (claim == null) {
                return CompletableFuture.completedStage(own.none(Answer.State.GONE, null));
            } else if (request instanceof Request.Leave) {
                return claim.leave();
            } else if (request instanceof Request.Yield yield) {
                return this.yield(claim, yield);
            } else if (request instanceof Request.Fix fix) {
                return fix(claim, fix);
            } else if (request instanceof Request.Describe describe) {
                claim.describe(describe);
                return present(claim, null);
            }
            return present(claim, LOCKS_ONLY);
        }
    }

    private CompletionStage<Answer> enter(Request.Enter enter) {
        QuorumClaim known = claims.get(enter.id().number());
        if (known != null) {
            known.goOn();
            return known.first(present(known, null).toCompletableFuture());
        }
        String refusal = refusal(enter);
        if (refusal != null) {
            return CompletableFuture.completedStage(own.none(Answer.State.REFUSED, refusal));
        }
        finishEnded(quorum.micros());
        CompletableFuture<Answer> first = new CompletableFuture<>();
        QuorumClaim claim = new QuorumClaim(quorum, this, enter, first);
        claims.put(enter.id().number(), claim);
        claim.attempt();
        return first;
    }

    private @Nullable String refusal(Request.Enter enter) {
        ClaimSpec spec = enter.spec();
        return spec.capacity() != Resource.WHOLE || spec.weight() != Resource.WHOLE
                ? LOCKS_ONLY
                : tooLong(Math.max(spec.lease(), spec.fixedLease()));
    }

    /** Notes until when a claim is held whose end is fixed. */
    private void note(QuorumClaim claim) {
        fixed.remove(claim);
        if (claim.candidacy().isFixed()) {
            fixed.put(claim, claim.deadline());
        }
    }

    /** Finishes the claims that have ended at a fixed time; it may have moved since it was noted. */
    private void finishEnded(long now) {
        for (QuorumClaim claim = fixed.next(now); claim != null; claim = fixed.next(now)) {
            if (claim.deadline() > now) {
                note(claim);
            } else {
                claim.finish();
            }
        }
    }

    private @Nullable String tooLong(long lease) {
        return lease <= quorum.longestMicros
                ? null
                : "its lease of " + show(lease) + " is longer than the quorum's longest-lease of "
                        + show(quorum.longestMicros)
                        + ": ask for less, or have all clients name a longer one in the URL";
    }

    private static String show(long micros) {
        Duration duration = Duration.ofNanos(micros * 1000);
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private CompletionStage<Answer> present(QuorumClaim claim, @Nullable String refusal) {
        return claim.trouble().isEmpty()
                ? CompletableFuture.completedStage(claim.present(refusal))
                : CompletableFuture.failedStage(StoreException.unreachable(claim.trouble(), null));
    }

    private CompletionStage<Answer> fix(QuorumClaim claim, Request.Fix fix) {
        String refusal = tooLong(fix.lease());
        Candidacy stay = claim.candidacy();
        if (!claim.isHeld(fix.sequence()) || stay.isOutdated(fix) || refusal != null) {
            return present(claim, refusal);
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        stay.fix(fix, round -> {
            claim.renewed(stay, 0);
            if (claim.isHeld(fix.sequence())) {
                note(claim);
                claim.reenterUntilItsEnd();
            }
            StoreException failure = round.failure();
            tell(fix.id(), round.isAnswered() ? null : StoreException.unreachable(trouble(failure), failure), answer);
        });
        return answer;
    }

    private CompletionStage<Answer> yield(QuorumClaim claim, Request.Yield yield) {
        if (!claim.isHeld(yield.sequence()) || claim.yield()) {
            return present(claim, null);
        }
        return renewOne(Request.Renew.of(
                        yield.resource(), yield.id(), yield.sequence(), yield.lease(), yield.localWaiters(), true))
                .thenApply(renewed -> {
                    if (claim.isHeld(yield.sequence())) {
                        claim.letOthersIn(); // there was no majority for a fresh sequence
                    }
                    return claim.present();
                });
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        Objects.requireNonNull(renewals, "renewals");
        if (closed) {
            return Collections.nCopies(renewals.size(), failed());
        }
        List<CompletableFuture<Answer>> answers = Stream.generate(CompletableFuture<Answer>::new)
                .limit(renewals.size())
                .toList();
        quorum.loop.run(() -> renewAll(renewals, answers));
        return answers;
    }

    private CompletableFuture<Answer> renewOne(Request.Renew renewal) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        renewAll(List.of(renewal), List.of(answer));
        return answer;
    }

    private void renewAll(List<Request.Renew> renewals, List<CompletableFuture<Answer>> answers) {
        Renewal round = new Renewal(quorum, this);
        for (int i = 0; i < renewals.size(); i++) {
            Request.Renew one = renewals.get(i);
            CompletableFuture<Answer> answer = answers.get(i);
            QuorumClaim claim = claims.get(one.id().number());
            if (claim != null && claim.isHeld(one.sequence())) {
                round.add(claim, one, failure -> tell(one.id(), failure, answer));
            } else {
                tell(one.id(), null, answer);
            }
        }
        round.send();
        for (Request.Renew one : renewals) {
            QuorumClaim claim = claims.get(one.id().number());
            if (claim != null) {
                claim.goOn();
            }
        }
    }

    /** Tells how a claim stands after a renewal, or after its end was fixed. */
    private void tell(ClaimId id, @Nullable StoreException failure, CompletableFuture<Answer> answer) {
        QuorumClaim claim = claims.get(id.number());
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else if (claim != null && !claim.trouble().isEmpty()) {
            answer.completeExceptionally(StoreException.unreachable(claim.trouble(), null));
        } else {
            answer.complete(claim == null ? own.none(Answer.State.GONE, null) : claim.present());
        }
    }

    private CompletionStage<Answer> evict(Request.Evict evict) {
        return end(evict.resource(), (member, then) -> member.send(evict, then));
    }

    /** Ends a claim of another client, which has died, on a member, by the id that this one has of it. */
    private void leave(Member member, Request.Leave leave, Consumer<@Nullable Answer> then) {
        member.inspect(leave.resource(), seen -> {
            Optional<ClaimId> there = seen == null ? Optional.empty() : Holders.onMember(seen, leave.id());
            if (there.isPresent()) {
                member.send(Request.Leave.of(leave.resource(), there.get(), leave.unclear()), then);
            } else {
                then.accept(seen == null ? null : own.none(Answer.State.GONE, null));
            }
        });
    }

    /** Has each member end what somebody may hold, and tells those who wait; the answer is LEFT if any of them had it. */
    private CompletionStage<Answer> end(String resource, Poll.Question<Answer> question) {
        CompletableFuture<Answer> result = new CompletableFuture<>();
        new Poll<Answer>(quorum, answers -> {
                    signals.signal(resource);
                    boolean held = answers.stream().anyMatch(answer -> answer.state() == Answer.State.LEFT);
                    reply(result, answers, own.none(held ? Answer.State.LEFT : Answer.State.GONE, null));
                })
                .send(question);
        return result;
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Objects.requireNonNull(resource, "resource");
        return step(() -> {
            CompletableFuture<Snapshot> result = new CompletableFuture<>();
            new Poll<Snapshot>(quorum, all -> reply(result, all, Holders.of(all, quorum)))
                    .send((member, then) -> member.inspect(resource, then));
            return result;
        });
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(cursor, "cursor");
        MemberNames listing = new MemberNames(quorum, this, prefix, cursor);
        return step(listing::page);
    }

    private <T> void reply(CompletableFuture<T> result, List<?> answers, T value) {
        if (answers.size() < quorum.majority) {
            result.completeExceptionally(StoreException.unreachable(trouble(), null));
        } else {
            result.complete(value);
        }
    }

    @Override
    public void close() {
        CompletableFuture<Void> step = CompletableFuture.runAsync(
                () -> {
                    closed = true; // first: no member gets a store from here on
                    quorum.clock.close();
                },
                quorum.loop::run);
        Throwable failure = step.handle((done, error) -> error).join();
        // Not as a step: that may be run by a thread of the very member that is closed, which would wait for itself.
        for (Member member : quorum.members) {
            Store store = member.store();
            try {
                if (store != null) {
                    store.close();
                }
            } catch (RuntimeException | Error e) { // the others are closed all the same
                failure = e;
            }
        }
        if (failure != null) {
            throw failure instanceof RuntimeException known ? known : new CompletionException(failure);
        }
    }
}
