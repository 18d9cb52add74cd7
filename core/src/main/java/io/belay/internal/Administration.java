package io.belay.internal;

import io.belay.BelayAdmin;
import io.belay.Deadlock;
import io.belay.Inspection;
import io.belay.OwnHold;
import io.belay.OwnWait;
import io.belay.Statistics;
import io.belay.StoreHealth;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Inspections;
import io.belay.internal.gate.StandingRings;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Store.NamePage;
import io.belay.support.NameRules;
import io.belay.support.OneLine;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What operators ask and do by a client, or by a view of it.
 *
 * @param gates where the client's threads wait and hold
 * @param prefix what precedes every name, the colon included; empty for none
 * @param behalf on whose behalf a lock is broken; empty for none
 */
record Administration(Gates gates, String prefix, String behalf) implements BelayAdmin {
    private String full(String name) {
        return NameRules.check("The lock's name", prefix, name);
    }

    @Override
    public Capabilities capabilities() {
        return gates.engine.knownCapabilities();
    }

    @Override
    public StoreHealth health() {
        return gates.engine.health();
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
        gates.engine.checkUp("The names cannot be listed: ");
        String full = start.isEmpty() ? prefix : NameRules.check("The prefix", prefix, start);
        Set<String> seen = new HashSet<>();
        // A store is not trusted blindly: a name that nobody could ask for would be of no use.
        Predicate<String> isTold = name ->
                name.startsWith(full) && name.length() > prefix.length() && NameRules.isVisible(name) && seen.add(name);
        Optional<NamePage> first = Optional.of(NamePage.of(List.of(), Optional.of(""))); // so that nothing is read yet
        return Stream.iterate(
                        first,
                        Optional::isPresent,
                        page -> page.flatMap(NamePage::next).map(from -> page(full, from, isTold)))
                .flatMap(page -> page.orElseThrow().names().stream())
                .map(name -> name.substring(prefix.length()));
    }

    /** Reads what a page has to tell; one thread does so at a time, even if the stream is made a parallel one. */
    private NamePage page(String begin, String from, Predicate<String> isTold) {
        NamePage read = gates.engine.awaitTwice(() -> gates.engine.names(begin, from), "Listing the names");
        return NamePage.of(read.names().stream().filter(isTold).toList(), read.next());
    }

    @Override
    public Inspection inspect(String name) {
        String full = full(name);
        gates.engine.checkUp("The lock '" + full + "' cannot be looked at: ");
        return Inspections.of(gates, full);
    }

    @Override
    public List<Deadlock> deadlocks() {
        return StandingRings.of(gates, names(""), prefix);
    }

    @Override
    public boolean forceRelease(String name) {
        String full = full(name);
        gates.engine.checkUp("The lock '" + full + "' cannot be released by force: ");
        Answer answer = gates.engine.await(
                () -> gates.evictions.force(full, behalf), "Releasing the lock '" + full + "' by force");
        return answer.state() == Answer.State.LEFT;
    }

    @Override
    public String toString() {
        String client = gates.engine.owner("", "").client();
        return "Belay of " + OneLine.printable(client) + (prefix.isEmpty() ? "" : ", " + prefix);
    }
}
