package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A server of a test's own: the reference model behind a network that delays, on a clock of its own. */
final class FakeMember {
    /** What it does otherwise than a member should. */
    interface Lie {
        default Request request(Request request) {
            return request;
        }

        default Resource before(Request request, Resource state) {
            return state;
        }

        default Answer answer(Request request, Answer answer) {
            return answer;
        }
    }

    static final Lie NONE = new Lie() {};

    /** The number of names on a page. */
    static final int PAGE = 3;

    private final SimClock clock;
    private final Random random;
    private final Lie lie;
    private long aheadMicros;
    private final Map<String, Resource> resources = new HashMap<>();
    private final Map<Long, FakeLink> links = new HashMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private long run;
    private boolean up = true;
    private boolean hung;
    private int requests;
    private long distance;

    @Nullable
    Thread disconnectedBy;

    @Nullable
    RuntimeException thrownAtClose;

    FakeMember(SimClock clock, Random random, long aheadMicros, Lie lie) {
        this.clock = clock;
        this.random = random;
        this.aheadMicros = aheadMicros;
        this.lie = lie;
        run = random.nextLong() | 1;
    }

    FakeLink connect(long client, Store.Listener listener) {
        FakeLink link = new FakeLink(this, client, listener);
        links.put(client, link);
        return link;
    }

    void cut(long client) {
        Objects.requireNonNull(links.get(client)).cut();
    }

    void disconnect(long client) {
        disconnectedBy = Thread.currentThread();
        links.remove(client);
        if (thrownAtClose != null) {
            throw thrownAtClose;
        }
    }

    long micros() {
        return clock.micros() + aheadMicros;
    }

    void setClockBack(Duration by) {
        aheadMicros -= by.toNanos() / 1_000;
    }

    SimClock clock() {
        return clock;
    }

    /** How long a message takes, in nanoseconds. */
    long delay() {
        return distance + 50_000 + random.nextInt(400_000) + (random.nextInt(50) == 0 ? random.nextInt(5_000_000) : 0);
    }

    /** From now on each message takes so many milliseconds longer. */
    void moveAway(long millis) {
        distance += millis * 1_000_000;
    }

    /** From now on each message to and from one client does. */
    void moveAway(long client, long millis) {
        Objects.requireNonNull(links.get(client)).moveAway(millis);
    }

    boolean isUp() {
        return up;
    }

    boolean isWell() {
        return up && !hung;
    }

    int requests() {
        return requests;
    }

    Resource resource(String name) {
        return resources.getOrDefault(name, Resource.UNUSED);
    }

    /** Everything is forgotten, and nobody notices. */
    void flush() {
        resources.clear();
    }

    /** It ends, and nothing of what it was asked is answered. */
    void crash() {
        up = false;
        hung = false;
        held.clear();
        links.values().forEach(FakeLink::broken);
    }

    /** It is there again, and remembers everything: only the connections broke. */
    void comeBack() {
        up = true;
        new ArrayList<>(links.values()).forEach(FakeLink::mended);
    }

    /** It is there again, empty. */
    void restart() {
        up = true;
        resources.clear();
        run = random.nextLong() | 1;
        new ArrayList<>(links.values()).forEach(FakeLink::mended);
    }

    void hang() {
        hung = true;
    }

    void resume() {
        hung = false;
        List<Runnable> all = new ArrayList<>(held);
        held.clear();
        all.forEach(Runnable::run);
    }

    /** Runs the task unless it is hung; then afterwards. */
    void arrive(Runnable task) {
        if (hung) {
            held.add(task);
        } else {
            task.run();
        }
    }

    Answer run(Request asked) {
        requests++;
        Request request = lie.request(asked);
        Resource before = lie.before(request, resource(request.resource()));
        Step step = request.applyTo(before, micros());
        resources.put(request.resource(), step.next());
        for (Push push : step.pushes(request.resource())) {
            FakeLink link = links.get(push.id().client());
            if (link != null) {
                link.push(push.from(run));
            }
        }
        return lie.answer(asked, step.answer().from(run));
    }

    Store.Snapshot inspect(String name) {
        return Store.Snapshot.of(micros(), Optional.ofNullable(resources.get(name)));
    }

    /** Lists names in their order, few at a time; the cursor is the last one. */
    Store.NamePage names(String prefix, String cursor) {
        List<String> names = resources.keySet().stream()
                .filter(name -> name.startsWith(prefix) && name.compareTo(cursor) > 0)
                .sorted()
                .limit(PAGE)
                .toList();
        return names.size() < PAGE
                ? Store.NamePage.last(names)
                : Store.NamePage.of(names, Optional.of(names.get(PAGE - 1)));
    }

    static StoreException down() {
        return StoreException.unreachable("it is down", null);
    }
}
