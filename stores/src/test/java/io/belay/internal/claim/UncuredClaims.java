package io.belay.internal.claim;

import io.belay.LeaseLostException;
import io.belay.internal.Inside;
import io.belay.internal.time.UncuredTime;
import io.belay.simulation.Switch;
import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What claims do where a cure is switched off, or a rule taken out: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredClaims {
    private UncuredClaims() {}

    public static List<Switch> newsOfNothingIsNotTold() {
        return List.of(
                Switch.body(LiveClaim::answered, UncuredClaims::answered).around(),
                Switch.body(LiveClaim::fire, UncuredClaims::fire).around());
    }

    public static List<Switch> suspensionIsForgotten() {
        return List.of(
                Switch.result(Belief::answered, UncuredClaims::keepsItsEnd).around());
    }

    public static List<Switch> unconfirmedMakesSure() {
        return List.of(
                Switch.result(Belief::answered, UncuredClaims::isSureAnyway).around());
    }

    public static List<Switch> closingIsOpen() {
        return List.of(Switch.result(Engine::isClosing, UncuredClaims::isNotClosing));
    }

    public static List<Switch> closeForgetsLatecomers() {
        return List.of(Switch.body(LiveClaim::closeIfLate, UncuredClaims::isNeverLate));
    }

    public static List<Switch> renewalsShareFate() {
        return List.of(Switch.result(Engine::renew, UncuredClaims::renewTogether));
    }

    public static List<Switch> clockNeverJumps() {
        return List.of(Switch.result(Belief::jumped, UncuredClaims::neverJumped));
    }

    public static List<Switch> lossIsNotReported() {
        return List.of(Switch.body(Events::lost, UncuredClaims::logLoss));
    }

    public static List<Switch> drainWaitsForNobody() {
        return List.of(
                Switch.body(Life::letHoldersFinish, UncuredClaims::drainAtOnce).around());
    }

    static void logLoss(Events events, LeaseLostException loss) {
        events.warn("lost", loss.name(), String.valueOf(loss.getMessage()));
    }

    static void drainAtOnce(Life life, long atMost) {
        Inside.asItIs("letHoldersFinish", () -> life.letHoldersFinish(0));
    }

    private static Mutant mutant = new Mutant() {};

    /** Takes a rule out of the protocol. */
    public static void breakRule(String name) {
        mutant = BrokenRule.valueOf(name);
    }

    /** Returns the names of the rules that can be taken out so that a simulation may see it. */
    public static List<String> ruleNames() {
        return Arrays.stream(BrokenRule.values()).map(Enum::name).toList();
    }

    /** What has to be switched to take a rule out. */
    public static List<Switch> rules() {
        return List.of(
                Switch.result(Belief::answered, UncuredClaims::mutated).around(),
                Switch.result(Belief::pushed, UncuredClaims::pushed).around(),
                Switch.result(Belief::fixing, UncuredClaims::fixing).around());
    }

    /** The request that the store runs in the place of one. */
    public static Request request(Resource before, Request request) {
        return mutant.request(before, request);
    }

    /** What the store makes of a request in the place of a step. */
    public static Step step(Resource before, Request request, long now, Step step) {
        return mutant.step(before, request, now, step);
    }

    static Belief mutated(Belief before, Answer answer, long sent, long offset, long now) {
        return Inside.asItIs("answered", () -> mutant.answered(before, answer, sent, offset, now));
    }

    static Belief pushed(Belief before, Push push, long now) {
        return Inside.asItIs("pushed", () -> mutant.pushed(before, push, now));
    }

    static Belief fixing(Belief before, long lease, int change, long now) {
        return Inside.asItIs("fixing", () -> mutant.fixing(before, lease, change, now));
    }

    private static void settlingIfChanged(LiveClaim claim, String method, Runnable step) {
        Belief before = claim.belief();
        UncuredTime.settlingIf(() -> !claim.belief().looksLike(before), method, step);
    }

    static void answered(LiveClaim claim, @Nullable Answer answer, @Nullable Throwable error, SentRequest sent) {
        settlingIfChanged(claim, "answered", () -> claim.answered(answer, error, sent));
    }

    static void fire(LiveClaim claim, long now) {
        settlingIfChanged(claim, "fire", () -> claim.fire(now));
    }

    static Belief keepsItsEnd(Belief before, Answer answer, long sent, long offset, long now) {
        Belief after = Inside.asItIs("answered", () -> before.answered(answer, sent, offset, now));
        boolean same = before.phase() == Belief.Phase.HELD
                && after.phase() == Belief.Phase.HELD
                && before.sequence() == after.sequence();
        return same && before.until() - after.until() > 0 ? lasting(after, after.anchor(), before.until()) : after;
    }

    private static Belief lasting(Belief b, Belief.@Nullable Anchor anchor, long until) {
        return Beliefs.like(b, b.phase(), b.since(), anchor, until, b.wanted());
    }

    static boolean neverJumped(Push push, Belief.Anchor anchor, long now) {
        return false;
    }

    static Belief isSureAnyway(Belief before, Answer answer, long sent, long offset, long now) {
        Belief after = Inside.asItIs("answered", () -> before.answered(answer, sent, offset, now));
        Belief.Anchor anchor = after.anchor();
        boolean held = before.phase() == Belief.Phase.HELD && after.phase() == Belief.Phase.HELD;
        if (!held || anchor == null || anchor.offset() == offset) {
            return after;
        }
        Belief.Anchor sure = new Belief.Anchor(anchor.sent(), anchor.time(), anchor.server(), offset);
        return lasting(after, sure, before.until());
    }

    static boolean isNotClosing(Engine engine) {
        return false;
    }

    static void isNeverLate(LiveClaim claim) {}

    static List<? extends CompletionStage<Answer>> renewTogether(Engine engine, List<Request.Renew> chunk) {
        List<CompletableFuture<Answer>> each = engine.store().renew(chunk).stream()
                .map(CompletionStage::toCompletableFuture)
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new));
        return each.stream().map(one -> all.thenCompose(done -> one)).toList();
    }
}
