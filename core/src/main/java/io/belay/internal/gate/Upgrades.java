package io.belay.internal.gate;

import io.belay.internal.claim.LiveClaim;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The changes of weight that one gate's holds are asked for: a writer becomes a reader, or the other way round. Of upgrades
 * there are hardly ever any that are not answered yet. All state is guarded by the gate's lock; futures are completed after
 * the step.
 */
public final class Upgrades {
    /** An upgrade that was asked for; {@code before} is the weight to go back to if it was given up meanwhile. */
    private record Upgrade(Hold hold, int before, CompletableFuture<Optional<Hold>> outcome, boolean givenUp) {
        private Upgrade giveUp() {
            return new Upgrade(hold, before, outcome, true);
        }
    }

    private final Gate gate;
    private final Map<LiveClaim, Upgrade> asked = new HashMap<>(0);

    Upgrades(Gate gate) {
        this.gate = gate;
    }

    /** Makes the hold a smaller one, which gets its listeners if {@code told}; null if it is lost or being upgraded. */
    @Nullable
    public Hold downgrade(Hold hold, int weight, boolean told) {
        return gate.steps.call(() -> {
            long now = gate.engine().time().nanos();
            gate.notice(hold, now);
            if (!gate.holds(hold) || asked.containsKey(hold.claim())) {
                return null;
            }
            Hold next = hold.successor(now);
            if (told) {
                hold.passListenersTo(next);
            }
            gate.succeed(hold, next);
            hold.claim().reweight(weight);
            gate.detach(hold.claim());
            return next;
        });
    }

    /** Asks to make the hold a larger one, which is refused unless nobody else has a part of the resource. */
    public CompletableFuture<Optional<Hold>> upgrade(Hold hold, int weight) {
        CompletableFuture<Optional<Hold>> outcome = new CompletableFuture<>();
        gate.steps.run(() -> {
            gate.notice(hold, gate.engine().time().nanos());
            if (!gate.holds(hold) || gate.isShared(hold) || asked.containsKey(hold.claim())) {
                tell(outcome, null);
                return;
            }
            asked.put(hold.claim(), new Upgrade(hold, hold.claim().weight(), outcome, false));
            hold.claim().reweight(weight);
            gate.detach(hold.claim());
        });
        return outcome;
    }

    /** Gives the upgrade up: should it be made all the same, it is undone. Returns false if it is decided already. */
    public boolean giveUp(Hold hold) {
        return gate.steps.call(() -> asked.computeIfPresent(hold.claim(), (key, upgrade) -> upgrade.giveUp()) != null);
    }

    /** Takes the outcome of a claim's change of weight, for the upgrade that waits for it; under the gate's lock. */
    void decided(LiveClaim claim, boolean made, long now) {
        Upgrade upgrade = asked.remove(claim);
        if (upgrade == null) {
            return;
        }
        if (upgrade.givenUp()) {
            if (made) {
                claim.reweight(upgrade.before());
            }
            return;
        }
        boolean had = made && gate.holds(upgrade.hold());
        Hold next = had ? upgrade.hold().successor(now) : null;
        if (next != null) {
            gate.succeed(upgrade.hold(), next);
        }
        tell(upgrade.outcome(), next);
    }

    /** Ends the upgrade of a hold that is over, if one was asked for; under the gate's lock. */
    void end(LiveClaim claim) {
        Upgrade upgrade = asked.isEmpty() ? null : asked.remove(claim);
        if (upgrade != null) {
            tell(upgrade.outcome(), null);
        }
    }

    /** Tells the larger hold, or null that there is none. */
    private void tell(CompletableFuture<Optional<Hold>> outcome, @Nullable Hold next) {
        gate.steps.later(() -> outcome.complete(Optional.ofNullable(next)));
    }
}
