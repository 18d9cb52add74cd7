package io.belay.simulation;

import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;

/** What all clients of a world share: the store itself, which goes wrong and is looked at in one way whatever its shape is. */
abstract class Backend {
    private static final long ORIGIN = 1_800_000_000_000_000L;

    final World world;
    private final long drift;
    private final List<Link> links = new ArrayList<>();
    /** Which run of it this is. */
    private long run = 1;

    private boolean down;
    private long ahead;

    Backend(World world, long drift) {
        this.world = world;
        this.drift = drift;
    }

    static Backend of(World world, long drift) {
        return switch (world.plan.shape()) {
            case DOCUMENTS -> new Database(world, drift);
            case NODES -> new Service(world, drift);
            default -> new Server(world, drift);
        };
    }

    /** Opens a client's store. */
    abstract Store open(Site site, long client, Store.Listener listener);

    /** How a resource stands, whether or not somebody knows yet. */
    abstract Resource resource(String name);

    /** Ends by force what is granted. */
    abstract void evict(String name);

    /** The claims that are listed though everybody has gone. */
    abstract List<Claim> leftovers();

    /** For how long a claim that was left in vain, as something was wrong, may be there after that, in nanoseconds. */
    long outlives() {
        return 0;
    }

    void join(Link link) {
        links.add(link);
    }

    void part(Link link) {
        links.remove(link);
    }

    List<Link> links() {
        return links;
    }

    /** Whether a client has left something open. */
    boolean isOpen(long client) {
        return links.stream().anyMatch(link -> link.client() == client);
    }

    /** The store's time, in microseconds. */
    long micros() {
        long micros = world.scheduler.now() / 1000;
        return ORIGIN + micros + micros / 1_000_000 * drift + ahead;
    }

    /** The number of its present run. */
    long server() {
        return run;
    }

    /** Another run of it begins. */
    void takeOver() {
        run++;
    }

    boolean isDown() {
        return down;
    }

    void crash() {
        down = true;
        run++;
    }

    void restart() {
        down = false;
    }

    /** Another server takes over, which knows the same, with a clock that is ahead. */
    void failOver(long clockAhead) {
        run++;
        ahead += clockAhead;
    }

    // Replicas that are behind, where there are any.

    /** The replica no longer hears what is done here. */
    void lag() {}

    /** The replica hears all again. */
    void catchUp() {}

    boolean isLagging() {
        return false;
    }

    /** The replica takes over as it is. */
    void promote() {}

    /** What the replica has of a resource. */
    Resource replicated(String name) {
        return resource(name);
    }
}
