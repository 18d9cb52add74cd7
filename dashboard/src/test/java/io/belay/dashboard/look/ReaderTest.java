package io.belay.dashboard.look;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.dashboard.look.SeenChanges.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is made of readings in which a store does not tell all, and of times in which nobody reads. */
class ReaderTest {
    private final String store = "memory:" + UUID.randomUUID();
    private final Belay belay = Belay.connect(store, BelayOptions.defaults().withClientName("shop-1"));

    /** The names that the store lists. */
    private List<String> listed = List.of();

    /** Whether the store does not list its names. */
    private boolean unlisted;

    /** Names that the store is asked for in vain. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** Names of which the store says that it cannot tell. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    /** A name that begins so is not answered before the test has ended. */
    private String hanging = "none";

    /** The name at which the listing breaks off, once. */
    private String breaking = "none";

    private final CountDownLatch over = new CountDownLatch(1);
    private final Reader reader = new Reader(admin());

    private BelayAdmin admin() {
        BelayAdmin real = belay.admin();
        return (BelayAdmin) Proxy.newProxyInstance(
                ReaderTest.class.getClassLoader(), new Class<?>[] {BelayAdmin.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("names")) {
                        if (unlisted) {
                            throw new StoreUnavailableException("no names", null);
                        }
                        return listed.stream().peek(this::list);
                    }
                    if (method.getName().equals("inspect")) {
                        return inspect(real, (String) arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void list(String name) {
        if (name.equals(breaking)) {
            breaking = "none";
            throw new OutOfMemoryError("by the test");
        }
    }

    private Inspection inspect(BelayAdmin real, String name) throws InterruptedException {
        if (name.startsWith(hanging)) {
            over.await();
        }
        if (failing.contains(name)) {
            throw new StoreUnavailableException("no answer", null);
        }
        if (refused.contains(name)) {
            throw new StoreMisconfiguredException(name + " is not Belay's", null);
        }
        return real.inspect(name);
    }

    @AfterEach
    void close() {
        over.countDown();
        reader.close();
        belay.close();
    }

    private static List<String> names(String start, int number) {
        return IntStream.range(0, number).mapToObj(i -> start + i).toList();
    }

    private List<String> told(Kind kind) {
        return reader.changes().newest(200).stream()
                .filter(change -> change.kind() == kind)
                .map(change -> change.lock() + change.by().replaceFirst("@.*", ""))
                .toList();
    }

    private void readRound() throws InterruptedException {
        int before = reader.sweep().rounds();
        while (reader.sweep().rounds() == before) {
            reader.read(List.of());
        }
    }

    @Test
    void aReadingEndsWhereTheStoreDoesNotAnswerRequestsSideBySide() throws Exception {
        List<String> first = names("first ", 16);
        listed = Stream.concat(first.stream(), names("hangs ", 500).stream()).toList();
        failing.addAll(first);
        hanging = "hangs ";
        reader.read(List.of()); // or it would wait for what comes with the end of this test
        assertThat(reader.isAway()).isTrue();
    }

    @Test
    void oneRequestInVainIsNotTheEndOfAHold() throws Exception {
        List<String> free = names("free ", 1_500);
        listed = Stream.concat(Stream.of("a"), free.stream()).toList();
        Lease lease = belay.lock("a").acquire();
        readRound();
        assertThat(reader.lock("a")).isNotNull();
        failing.add("a");
        reader.read(List.of());
        failing.clear();
        readRound();
        assertThat(reader.lock("a")).isNotNull();
        assertThat(told(Kind.FREED)).isEmpty();
        lease.release();
        listed = free;
        readRound();
        assertThat(reader.lock("a")).isNull();
        assertThat(told(Kind.FREED)).containsExactly("ashop-1");
    }

    @Test
    void aReadingThatBreaksOffIsNotTheEndOfAHold() throws Exception {
        listed = Stream.concat(Stream.of("a"), names("free ", 1_500).stream()).toList();
        Lease lease = belay.lock("a").acquire();
        readRound();
        breaking = "free 9";
        assertThatThrownBy(() -> reader.read(List.of())).hasMessage("by the test");
        readRound();
        assertThat(reader.lock("a")).isNotNull();
        assertThat(told(Kind.FREED)).isEmpty();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void oneNameThatAlwaysFailsKeepsNoOther() throws Exception {
        Lease lease = belay.lock("a").acquire();
        Lease other = belay.lock("fails").acquire();
        listed = List.of("a", "fails");
        readRound();
        assertThat(reader.lock("a")).isNotNull();
        failing.add("fails");
        lease.release();
        listed = List.of("fails");
        readRound();
        assertThat(reader.lock("a")).isNull();
        assertThat(reader.lock("fails")).isNotNull();
        assertThat(other.isHeld()).isTrue();
    }

    /** As a key of another program's is, or a lock that a version with another layout holds. */
    @Test
    void aStoreThatRefusesANameHasAnswered() throws Exception {
        listed = List.of("foreign");
        refused.add("foreign");
        readRound();
        assertThat(reader.isAway()).isFalse();
        assertThat(told(Kind.AWAY)).isEmpty();
        assertThat(reader.missed()).isEqualTo("foreign is not Belay's");
        assertThat(frame()).contains("foreign is not Belay's");
        listed = names("free ", 1_500);
        readRound();
        assertThat(reader.missed()).isEmpty();
        assertThat(frame()).doesNotContain("missed");
    }

    /** What is read in turn is told of until the round shows otherwise. */
    @Test
    void whatIsRefusedIsToldUntilTheRoundHasEnded() throws Exception {
        listed = Stream.concat(Stream.of("foreign"), names("free ", 1_500).stream())
                .toList();
        refused.add("foreign");
        readRound();
        refused.clear();
        reader.read(List.of());
        assertThat(reader.missed()).isEqualTo("foreign is not Belay's");
        readRound();
        assertThat(reader.missed()).isEmpty();
    }

    private String frame() {
        return new String(new FrameText("any", reader, Optional.empty(), List.of()).of(new View("", "")), UTF_8);
    }

    @Test
    void aStoreThatDoesNotListItsNamesIsAwayThoughWhatIsOpenIsRead() throws Exception {
        Lease lease = belay.lock("a").acquire();
        reader.read(List.of());
        assertThat(reader.isAway()).isFalse();
        unlisted = true;
        reader.read(List.of(new View("", "a")));
        assertThat(reader.isAway()).isTrue();
        assertThat(reader.outage().why()).contains("no names");
        assertThat(reader.opened().get("a").claims()).hasSize(1);
        assertThat(lease.isHeld()).isTrue();
        unlisted = false;
        reader.read(List.of());
        assertThat(reader.isAway()).isFalse();
    }

    @Test
    void anOutageThatBeganWhileNobodyAskedIsAsOldAsTheQuestion() throws Exception {
        reader.read(List.of());
        long answered = reader.lastAnswerMillis();
        Awaitility.await().until(() -> System.currentTimeMillis() > answered);
        listed = List.of("fails");
        failing.add("fails");
        reader.resume();
        reader.read(List.of());
        long since = reader.outage().sinceMillis();
        assertThat(since).isGreaterThan(answered);
        reader.read(List.of());
        assertThat(reader.outage().sinceMillis()).isEqualTo(since);
        Awaitility.await().until(() -> System.currentTimeMillis() > since);
        reader.resume();
        reader.read(List.of());
        assertThat(reader.outage().sinceMillis()).isGreaterThan(since);
    }
}
