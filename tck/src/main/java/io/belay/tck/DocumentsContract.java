package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.document.Documents;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Found;
import io.belay.document.Documents.Reading;
import io.belay.document.Documents.Session;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract under a {@link io.belay.document.DocumentStore}: it changes what was read, in time, or nothing. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
abstract class DocumentsContract {
    /** The time by which a change must have come, in microseconds of the database's clock from now. */
    private static final long IN_TIME = TimeUnit.SECONDS.toMicros(60);

    /** The numbers of documents to write at once: databases write one, and several, by statements of their own. */
    private static final List<Integer> SIZES = List.of(1, 3);

    /** The number of names to list: more than a page may have. */
    private static final int MANY = 2_100;

    private static final int MOST_NAMES = 2_000;

    /** The key of what was not told, which is no resource's name. */
    private static final String UNTOLD = "";

    private StoreSpec spec;
    private Documents documents;
    private Session first;
    private Session second;

    /** Opens a store that this test has to itself. */
    abstract StoreSpec open() throws Exception;

    @BeforeEach
    void openDocuments() throws Exception {
        spec = open();
        Documents opened = spec.documents().orElse(null);
        assumeTrue(opened != null, "the store is not made of documents, or does not offer them");
        documents = opened;
        first = documents.connect();
        second = documents.connect();
    }

    @AfterEach
    void closeDocuments() {
        try (StoreSpec opened = spec;
                Documents closed = documents;
                Session one = first;
                Session other = second) {
            // Each is closed, whatever became of the others.
        }
    }

    private static List<String> names(String kind, int number) {
        return IntStream.range(0, number).mapToObj(i -> kind + number + "-" + i).toList();
    }

    private static Change change(String name, long before) {
        return change(name, before, Long.MAX_VALUE);
    }

    private static Change change(String name, long before, long forget) {
        long version = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return new Change(name, before, version, new byte[] {(byte) version, 1, 2}, forget);
    }

    /** Returns a change of each document as it was read. */
    private static List<Change> changes(List<String> names, Map<String, Found> read) {
        return changes(names, read, Long.MAX_VALUE);
    }

    private static List<Change> changes(List<String> names, Map<String, Found> read, long forget) {
        return names.stream()
                .map(name ->
                        change(name, read.containsKey(name) ? read.get(name).version() : 0, forget))
                .toList();
    }

    private static Set<String> write(Session session, List<Change> changes) {
        long now = session.read(List.of("clock")).time();
        return session.write(changes, now + IN_TIME);
    }

    /** Returns the changes that the database says it made; it may also say that it cannot tell any more. */
    private static Set<String> claimed(Session session, List<Change> changes) {
        try {
            return session.made(changes);
        } catch (StoreException e) {
            return Set.of();
        }
    }

    private void areAsIn(List<Change> changes) {
        Map<String, Found> found =
                second.read(changes.stream().map(Change::resource).toList()).found();
        assertThat(found).hasSameSizeAs(changes);
        for (Change change : changes) {
            Found now = Objects.requireNonNull(found.get(change.resource()), change.resource());
            assertThat(now.version())
                    .as("the version of '%s'", change.resource())
                    .isEqualTo(change.version());
            assertThat(now.state()).isEqualTo(change.state());
        }
    }

    @Test
    void ofTwoThatReadTheSameOnlyTheFirstWritesIt() {
        for (int size : SIZES) {
            List<String> names = names("x", size);
            for (int i = 0; i < 3; i++) { // first they are made, then changed
                List<Change> mine = changes(names, first.read(names).found());
                List<Change> others = changes(names, second.read(names).found());
                assertThat(write(first, mine)).containsExactlyInAnyOrderElementsOf(names);
                assertThat(write(second, others))
                        .as("written over what another has written")
                        .isEmpty();
                assertThat(claimed(second, others)).isEmpty();
                assertThat(second.made(mine)).containsExactlyInAnyOrderElementsOf(names);
                areAsIn(mine);
            }
        }
    }

    @Test
    void whatIsNotThereIsNotChanged() {
        for (int size : SIZES) {
            List<String> names = names("none", size);
            List<Change> changes = names.stream().map(name -> change(name, 7)).toList();
            assertThat(write(first, changes)).isEmpty();
            assertThat(second.read(names).found()).isEmpty();
        }
    }

    @Test
    void aChangeThatIsRefusedRefusesNoOther() {
        List<String> names = names("x", 4);
        List<Change> two = changes(names.subList(0, 2), Map.of());
        write(first, two);
        List<Change> all = List.of(
                change(names.get(0), two.get(0).version()),
                change(names.get(1), two.get(1).version() - 1),
                change(names.get(2), 5),
                change(names.get(3), 0));
        assertThat(write(first, all)).containsExactlyInAnyOrder(names.get(0), names.get(3));
        areAsIn(List.of(all.get(0), two.get(1), all.get(3)));
        assertThat(second.read(names).found()).hasSize(3);
    }

    /** As where several clients begin with the same names at the same instant. */
    @Test
    void ofNewDocumentsThoseAreMadeThatOthersHaveNotMade() {
        Change others = change("x1", 0);
        write(first, List.of(others));
        Change free = change("x2", 0);
        assertThat(write(second, List.of(change("x1", 0), free))).containsExactly("x2");
        areAsIn(List.of(others, free));
    }

    @Test
    void whatComesTooLateIsNotWritten() {
        for (int size : SIZES) {
            List<String> names = names("x", size);
            List<Change> made = changes(names, Map.of());
            isTooLate(made);
            assertThat(second.read(names).found()).as("made too late").isEmpty();
            assertThat(write(first, made)).containsExactlyInAnyOrderElementsOf(names);
            isTooLate(changes(names, first.read(names).found()));
            areAsIn(made);
        }
    }

    @Test
    void aReservationIsAVersionThatLeavesTheRestAsItIs() {
        Change made = change("x", 0);
        assertThat(first.reserve("x", -7, -9)).as("nothing is there").isFalse();
        write(first, List.of(made));
        assertThat(first.reserve("x", -7, -9)).isTrue();
        Found reserved =
                Objects.requireNonNull(second.read(List.of("x")).found().get("x"));
        assertThat(reserved.version()).isEqualTo(-7);
        assertThat(reserved.state()).isEqualTo(made.state());
        assertThat(second.reserve("x", -8, -7))
                .as("the present one is not over")
                .isFalse();
        assertThat(write(second, List.of(change("x", made.version()))))
                .as("written over a reservation that was not seen")
                .isEmpty();
        assertThat(second.reserve("x", -5, -8)).as("the present one is over").isTrue();
        List<Change> next = List.of(change("x", -5));
        assertThat(write(first, next)).containsExactly("x");
        areAsIn(next);
    }

    /** More of them than a page has, and some that only a comparison of bytes tells from the others' prefix. */
    @Test
    void namesAreListedPageByPage() {
        List<String> names = names("listed", MANY);
        List<String> others = List.of("liste", "Listed", "listee", "list_d", "lister\u00fc");
        for (int i = 0; i < MANY; i += 100) {
            List<String> some = names.subList(i, Math.min(MANY, i + 100));
            assertThat(write(first, changes(some, Map.of()))).hasSameSizeAs(some);
        }
        write(first, changes(others, Map.of()));
        assertThat(listed("listed")).containsExactlyInAnyOrderElementsOf(names);
        assertThat(listed("")).containsAll(names).containsAll(others).hasSize(MANY + others.size());
        assertThat(listed("list_")).containsExactly("list_d");
        assertThat(listed("lister")).containsExactly("lister\u00fc");
        assertThat(listed("lister\u00fc")).containsExactly("lister\u00fc");
        assertThat(listed("nobody's")).isEmpty();
    }

    /** Reads page after page. A name may stand in several. */
    private Set<String> listed(String prefix) {
        Set<String> listed = new HashSet<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            Store.NamePage page = second.names(prefix, cursor.get());
            assertThat(page.names()).as("one page").hasSizeLessThan(MOST_NAMES);
            assertThat(page.names()).allMatch(name -> name.startsWith(prefix));
            listed.addAll(page.names());
            cursor = page.next();
        }
        return listed;
    }

    /** The document of a lock that is held may go once its claims have ended, and is written before that with a later time. */
    @Test
    void whatMayNotBeForgottenYetIsNotSwept() {
        for (int size : SIZES) {
            List<String> names = names("swept", size);
            writeAll(names, -1_000_000); // what is in use again
            List<Change> used = writeAll(names, TimeUnit.HOURS.toMicros(1));
            sweep();
            areAsIn(used);
            staysTillItMayBeForgotten(names);
            writeAll(names, -1_000_000);
            if (spec.sweeps()) {
                await().atMost(spec.patience()).until(() -> {
                    sweep();
                    return second.read(names).found().isEmpty();
                });
            }
        }
    }

    /** Looks a moment before that, or, where that has passed on a busy machine, writes them once more for longer. */
    private void staysTillItMayBeForgotten(List<String> names) {
        long moment = TimeUnit.SECONDS.toMicros(1);
        for (long ahead = 5 * moment; ; ahead *= 2) {
            long forget = writeAll(names, ahead).get(0).forget();
            sweep();
            Reading read = second.read(names);
            if (read.time() < forget - moment) {
                assertThat(read.found()).as("what may be forgotten soon").containsOnlyKeys(names);
                return;
            }
        }
    }

    /** Writes them all, to be forgotten so many microseconds from now. What may be forgotten may go just then: then once more. */
    private List<Change> writeAll(List<String> names, long ahead) {
        while (true) {
            Reading read = first.read(names);
            List<Change> changes = changes(names, read.found(), read.time() + ahead);
            if (write(first, changes).size() == names.size()) {
                return changes;
            }
        }
    }

    private void sweep() {
        while (first.sweep()) {
            // There may be more.
        }
    }

    private void isTooLate(List<Change> changes) {
        long notAfter = first.read(List.of("clock")).time();
        // Some clocks go in milliseconds.
        await().atMost(spec.patience())
                .pollInterval(Duration.ofMillis(2))
                .until(() -> second.read(List.of("clock")).time() > notAfter + 2_000);
        assertThat(first.write(changes, notAfter))
                .as("written after the time that was set")
                .isEmpty();
    }

    @Test
    void whatTwoWriteAtTheSameInstantIsWrittenByOne() throws Exception {
        for (int round = 1; round <= Race.rounds(); round++) {
            race(names("raced" + round + "-", 2));
        }
    }

    private void race(List<String> names) throws Exception {
        long until = Race.end();
        CompletableFuture<Map<String, Integer>> others =
                CompletableFuture.supplyAsync(() -> count(second, names, until), work -> new Thread(work).start());
        Map<String, Integer> own = count(first, names, until);
        Map<String, Integer> other = others.get(spec.patience().toSeconds(), TimeUnit.SECONDS);
        Map<String, Found> found = first.read(names).found();
        for (String name : names) {
            int sum = own.getOrDefault(name, 0) + other.getOrDefault(name, 0);
            int untold = own.getOrDefault(UNTOLD, 0) + other.getOrDefault(UNTOLD, 0);
            assertThat(sum).as("changes of '%s' that were told", name).isPositive();
            assertThat(number(Objects.requireNonNull(found.get(name), name)))
                    .as("how often '%s' was changed", name)
                    .isBetween(sum, sum + untold);
        }
    }

    /**
     * Adds one to each document, again and again, until the time is over; returns how often it did so, by name, and how often
     * the database could not tell, as many others had written between this one's read and write.
     */
    private static Map<String, Integer> count(Session session, List<String> names, long until) {
        Map<String, Integer> done = new HashMap<>();
        do { // once at least, however late its thread begins
            Map<String, Found> read = session.read(names).found();
            List<Change> changes = names.stream()
                    .map(name -> {
                        Change change = changes(List.of(name), read).get(0);
                        int next = read.containsKey(name) ? number(read.get(name)) + 1 : 1;
                        byte[] state =
                                ByteBuffer.allocate(Integer.BYTES).putInt(next).array();
                        return new Change(name, change.before(), change.version(), state, change.forget());
                    })
                    .toList();
            try {
                write(session, changes).forEach(name -> done.merge(name, 1, Integer::sum));
            } catch (StoreException e) {
                if (!e.isTemporary()) {
                    throw e;
                }
                done.merge(UNTOLD, 1, Integer::sum);
            }
        } while (System.nanoTime() - until < 0);
        return done;
    }

    private static int number(Found found) {
        return ByteBuffer.wrap(found.state()).getInt();
    }
}
