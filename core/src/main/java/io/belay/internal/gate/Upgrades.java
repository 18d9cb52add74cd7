package io.belay.internal.gate;

import io.belay.internal.claim.LiveClaim;
import io.belay.internal.time.StepLock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The upgrades of one gate's holds that were asked for and not answered yet, by claim. There are hardly ever any. All
 * under the gate's lock; futures are completed after the step.
 */
final class Upgrades {
    /** An upgrade that was asked for; {@code before} is the weight to go back to if it was given up meanwhile. */
    record Upgrade(Hold hold, int before, CompletableFuture<Optional<Hold>> outcome, boolean givenUp) {
        private Upgrade giveUp() {
            return new Upgrade(hold, before, outcome, true);
        }
    }

    private final StepLock steps;
    private final Map<LiveClaim, Upgrade> asked = new HashMap<>(0);

    Upgrades(StepLock steps) {
        this.steps = steps;
    }

    boolean isAsked(LiveClaim claim) {
        return asked.containsKey(claim);
    }

    void ask(Hold hold, CompletableFuture<Optional<Hold>> outcome) {
        asked.put(hold.claim(), new Upgrade(hold, hold.claim().weight(), outcome, false));
    }

    /** Notes that nobody waits for the upgrade any more; returns false if it is decided already. */
    boolean giveUp(LiveClaim claim) {
        return asked.computeIfPresent(claim, (key, upgrade) -> upgrade.giveUp()) != null;
    }

    /** Takes out the upgrade of a claim whose change of weight is decided; null if none was asked for. */
    @Nullable
    Upgrade decided(LiveClaim claim) {
        return asked.remove(claim);
    }

    /** Ends the upgrade of a hold that is over, if one was asked for. */
    void end(LiveClaim claim) {
        Upgrade upgrade = asked.isEmpty() ? null : asked.remove(claim);
        if (upgrade != null) {
            tell(upgrade.outcome(), null);
        }
    }

    /** Tells the larger hold, or null that there is none. */
    void tell(CompletableFuture<Optional<Hold>> outcome, @Nullable Hold next) {
        steps.later(() -> outcome.complete(Optional.ofNullable(next)));
    }
}
