package io.belay.internal.gate;

import io.belay.internal.claim.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The gates of one client, found by what is wanted of them. One that nobody uses is not kept. Thread-safe. */
public final class Gates implements Gate.Directory {
    private final Engine engine;
    private final ConcurrentHashMap<GateKey, Gate> gates = new ConcurrentHashMap<>();

    public Gates(Engine engine) {
        this.engine = engine;
        engine.onClosing(() -> gates.values().forEach(Gate::close));
    }

    public Engine engine() {
        return engine;
    }

    /** Returns the gate for all callers of a lock that are content with the order of their turns. */
    public Gate forAll(GateKey key) {
        Gate gate = gates.get(key);
        return gate != null ? gate : gates.computeIfAbsent(key, this::newGate);
    }

    private Gate newGate(GateKey key) {
        return key.weight() == key.capacity()
                ? ExclusiveGate.forAll(engine, key, this)
                : new SharedGate(engine, key, this);
    }

    /** Returns a gate for one acquisition, with a fixed lease in microseconds or 0. */
    public Gate forOne(GateKey key, long fixedLease) {
        return ExclusiveGate.forOne(engine, key, fixedLease);
    }

    @Override
    public void retire(GateKey key, Gate gate) {
        gates.remove(key, gate);
    }

    /** Returns how many gates there are, so that tests see that nothing is left behind. */
    public int size() {
        return gates.size();
    }

    /** Returns what the gates know of this client's own claims on a lock. */
    public List<LocalClaimInfo> localInfo(String name) {
        List<LocalClaimInfo> result = new ArrayList<>(1);
        gates.forEach((key, gate) -> {
            if (key.name().equals(name)) {
                gate.localInfo(result::add);
            }
        });
        return result;
    }
}
