package io.belay.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.internal.gate.Rings.Caller;
import io.belay.internal.gate.Rings.Link;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All graphs of four who hold and wait, beside a search that knows no more than what a ring is. */
class RingsTest {
    private static final int SIZE = 4;
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private static Link link(int holds, int caller, int waitsFor, long since, boolean breaks) {
        return new Link(
                "lock " + holds,
                ClaimId.of(caller, holds),
                1,
                false,
                OWNER,
                new WaitNote(1, since, breaks, true, "lock " + waitsFor),
                0);
    }

    /** Who holds what is drawn; caller i waits for the lock {@code waits[i]}, or for none if that is below 0. */
    private static Map<String, List<Link>> graph(int[] holder, int[] waits) {
        Map<String, List<Link>> holders = new HashMap<>();
        for (int lock = 0; lock < holder.length; lock++) {
            int caller = holder[lock];
            boolean waiting = caller >= 0 && waits[caller] >= 0;
            holders.put("lock " + lock, waiting ? List.of(link(lock, caller, waits[caller], caller, true)) : List.of());
        }
        return holders;
    }

    private static boolean isInRing(int caller, int[] holder, int[] waits) {
        int at = caller;
        for (int i = 0; i < SIZE; i++) {
            at = at < 0 || waits[at] < 0 ? -1 : holder[waits[at]];
            if (at == caller) {
                return true;
            }
        }
        return false;
    }

    /** Counts up in a number of base {@code SIZE + 1}, whose digits are -1 to SIZE - 1; returns false after the last one. */
    private static boolean next(int[] digits) {
        for (int i = 0; i < digits.length; i++) {
            if (++digits[i] < SIZE) {
                return true;
            }
            digits[i] = -1;
        }
        return false;
    }

    @Test
    void aRingIsFoundExactlyWhereOneIs() {
        int rings = 0;
        int[] holder = {-1, -1, -1, -1};
        do {
            int[] waits = {-1, -1, -1, -1};
            do {
                Map<String, List<Link>> graph = graph(holder, waits);
                for (int caller = 0; caller < SIZE; caller++) {
                    List<Link> ring = waits[caller] < 0
                            ? List.of()
                            : Rings.through(new Caller(caller, 1), "lock " + waits[caller], graph);
                    assertThat(!ring.isEmpty()).isEqualTo(isInRing(caller, holder, waits));
                    if (!ring.isEmpty()) {
                        rings++;
                        check(ring, caller, waits);
                    }
                }
            } while (next(waits));
        } while (next(holder));
        assertThat(rings).isGreaterThan(10_000);
    }

    private static void check(List<Link> ring, int caller, int[] waits) {
        int waitsFor = waits[caller];
        long youngest = 0;
        for (Link link : ring) {
            assertThat(link.lock()).isEqualTo("lock " + waitsFor);
            waitsFor = waits[(int) link.claim().client()];
            youngest = Math.max(youngest, link.note().since());
        }
        assertThat(ring.get(ring.size() - 1).claim().client()).isEqualTo(caller);
        assertThat(Rings.victims(ring).get(0).client()).isEqualTo(youngest);
    }

    @Test
    void allWhoAreInARingNameTheSameVictim() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            int size = 1 + random.nextInt(8);
            List<Link> ring = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                ring.add(link(i, i, (i + 1) % size, random.nextInt(3), random.nextInt(4) > 0));
            }
            Set<List<Caller>> orders = new HashSet<>();
            for (int turn = 0; turn < size; turn++) {
                Collections.rotate(ring, 1);
                orders.add(Rings.victims(ring));
            }
            assertThat(orders).hasSize(1);
            assertThat(orders.iterator().next()).hasSize((int)
                    ring.stream().filter(link -> link.note().breaks()).count());
        }
    }

    @Test
    void nobodyGivesUpWhereALeaseMayBeGivenBackByAnotherThread() {
        Link bound = link(0, 0, 1, 1, true);
        Link passed = link(1, 1, 0, 2, true);
        assertThat(Rings.victims(List.of(bound, passed))).hasSize(2);
        WaitNote note = new WaitNote(1, 2, true, false, "lock 0");
        Link unbound = new Link(passed.lock(), passed.claim(), 1, false, OWNER.withNote(note.text()), note, 0);
        assertThat(WaitNote.of(unbound.owner())).hasValue(note);
        assertThat(Rings.victims(List.of(bound, unbound))).isEmpty();
    }

    @Test
    void eachRingOfAllIsListedOnce() {
        int[] holder = {0, 1, 2, 3};
        assertThat(Rings.all(graph(holder, new int[] {1, 0, 3, 2}))).hasSize(2).allMatch(ring -> ring.size() == 2);
        assertThat(Rings.all(graph(holder, new int[] {1, 2, 3, 0}))).hasSize(1).allMatch(ring -> ring.size() == 4);
        assertThat(Rings.all(graph(holder, new int[] {1, 2, 3, -1}))).isEmpty();
    }

    @Test
    void aNoteIsReadAsItWasWritten() {
        WaitNote note = new WaitNote(77, 1_234_567_890_123_456L, true, true, "a lock: of many words");
        Owner owner = OWNER.withThread("t", "order 1").withNote(note.text());
        assertThat(WaitNote.of(owner)).hasValue(note);
        assertThat(owner.namedBehalf()).isEqualTo("order 1");
        assertThat(WaitNote.of(OWNER)).isEmpty();
        assertThat(WaitNote.of(owner.withNote(""))).isEmpty();
        assertThat(owner.withNote("").behalf()).isEqualTo("order 1");
        String name = "n".repeat(225);
        assertThat(WaitNote.of(owner.withNote(new WaitNote(77, note.since(), true, true, name).text())))
                .as("on whose behalf gives way")
                .map(WaitNote::waitsFor)
                .hasValue(name);
        assertThat(WaitNote.of(owner.withNote(new WaitNote(77, note.since(), true, true, "n".repeat(300)).text())))
                .as("has no room")
                .isEmpty();
        assertThat(WaitNote.of(owner.withNote("rubbish"))).isEmpty();
        assertThat(WaitNote.of(owner.withNote("!\u001f!\u001ft\u001fx"))).isEmpty();
    }
}
