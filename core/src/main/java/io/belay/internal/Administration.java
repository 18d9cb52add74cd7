package io.belay.internal;

import io.belay.BelayAdmin;
import io.belay.Deadlock;
import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.Statistics;
import io.belay.StoreHealth;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Inspections;
import io.belay.internal.gate.StandingRings;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.support.NameRules;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What operators ask and do by a client, or by a view of it.
 *
 * @param gates where the client's threads wait and hold
 * @param prefix what precedes every name, the colon included; empty for none
 * @param behalf on whose behalf a lock is broken; empty for none
 */
record Administration(Gates gates, String prefix, String behalf) implements BelayAdmin {
    private Engine engine() {
        return gates.engine;
    }

    private String full(String name) {
        return NameRules.check("The lock's name", prefix, name);
    }

    @Override
    public Capabilities capabilities() {
        return engine().knownCapabilities();
    }

    @Override
    public StoreHealth health() {
        return engine().health();
    }

    @Override
    public Statistics statistics() {
        return gates.statistics();
    }

    @Override
    public List<OwnHold> holds() {
        return gates.holds();
    }

    @Override
    public List<OwnWait> waits() {
        return gates.waits();
    }

    @Override
    public Stream<String> names(String start) {
        Objects.requireNonNull(start, "prefix");
        engine().checkUp("The names cannot be listed: ");
        String full = start.isEmpty() ? prefix : NameRules.check("The prefix", prefix, start);
        return NameListing.of(engine(), full, prefix.length());
    }

    @Override
    public Inspection inspect(String name) {
        String full = full(name);
        engine().checkUp("The lock '" + full + "' cannot be looked at: ");
        return Inspections.of(gates, full);
    }

    @Override
    public List<Deadlock> deadlocks() {
        return StandingRings.of(gates, names(""), prefix);
    }

    @Override
    public boolean forceRelease(String name) {
        String full = full(name);
        engine().checkUp("The lock '" + full + "' cannot be released by force: ");
        Answer answer =
                engine().await(() -> gates.evictions.force(full, behalf), "Releasing the lock '" + full + "' by force");
        return answer.state() == Answer.State.LEFT;
    }
}
