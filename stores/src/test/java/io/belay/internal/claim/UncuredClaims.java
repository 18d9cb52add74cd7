package io.belay.internal.claim;

import io.belay.LeaseLostException;
import io.belay.internal.Inside;
import io.belay.internal.machine.ClientState;
import io.belay.simulation.Switch;
import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What claims do where a cure is switched off, or a rule taken out: see {@link io.belay.internal.PlantedFault}. */
public final class UncuredClaims {
    private UncuredClaims() {}

    public static List<Switch> closingIsOpen() {
        return List.of(Switch.result(Engine::state, UncuredClaims::isNotClosing).around());
    }

    public static List<Switch> renewalsShareFate() {
        return List.of(Switch.result(Engine::renew, UncuredClaims::renewTogether));
    }

    public static List<Switch> lossIsNotReported() {
        return List.of(Switch.body(Events::lost, UncuredClaims::logLoss));
    }

    public static List<Switch> drainWaitsForNobody() {
        return List.of(
                Switch.body(Life::letHoldersFinish, UncuredClaims::drainAtOnce).around());
    }

    public static List<Switch> pauseWaitsForNobody() {
        return List.of(Switch.body(Life::pause, UncuredClaims::pauseAtOnce).around());
    }

    public static List<Switch> connectionStaysOpen() {
        return List.of(Switch.body(StoreConnection::close, UncuredClaims::stayOpen));
    }

    public static List<Switch> latePushIsThrown() {
        return List.of(Switch.body(Engine::pushed, UncuredClaims::pushOrThrow).around());
    }

    static void pushOrThrow(Engine engine, Push push) {
        if (!engine.claims.containsKey(push.id().number())) {
            throw new IllegalStateException("there is no claim " + push.id());
        }
        Inside.asItIs("pushed", () -> engine.pushed(push));
    }

    static void stayOpen(StoreConnection connection) {}

    static void logLoss(Events events, LeaseLostException loss) {
        events.warn("lost", loss.name(), String.valueOf(loss.getMessage()));
    }

    static void drainAtOnce(Life life, long atMost) {
        Inside.asItIs("letHoldersFinish", () -> life.letHoldersFinish(0));
    }

    static void pauseAtOnce(Life life, long drain) {
        Inside.asItIs("pause", () -> life.pause(0));
    }

    static ClientState isNotClosing(Engine engine) {
        ClientState state = Inside.asItIs("state", engine::state);
        return state == ClientState.CLOSING || state == ClientState.PAUSING ? ClientState.OPEN : state;
    }

    static List<? extends CompletionStage<Answer>> renewTogether(Engine engine, Store by, List<Request.Renew> chunk) {
        List<CompletableFuture<Answer>> each = by.renew(chunk).stream()
                .map(CompletionStage::toCompletableFuture)
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new));
        return each.stream().map(one -> all.thenCompose(done -> one)).toList();
    }
}
