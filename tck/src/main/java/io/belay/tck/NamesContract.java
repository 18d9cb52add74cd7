package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of all kinds, each a lock of its own. */
abstract class NamesContract extends TwoClients {
    private static final String TAIL = "n".repeat(480);

    /** Names that a store might take for something else, or for each other. */
    private static final List<String> HOSTILE = List.of(
            "x",
            "X",
            " x",
            "x ",
            "x:y",
            "x_y",
            "_",
            "x/y",
            "x\\y",
            "/x",
            "../x",
            "..",
            ".",
            "~",
            "-rf",
            "x*",
            "x?",
            "[x]",
            "{x}",
            "{x}y",
            "x{",
            "#x",
            "x#1",
            "%",
            "%2e",
            "%00",
            "\\0",
            "$x",
            "${x}",
            "x'y",
            "x\"y",
            "x;y",
            "x`y",
            "x|y",
            "x&y=z",
            "x\u00a0",
            "null",
            "0",
            "00",
            "-1",
            "1e3",
            "CON",
            "con.txt",
            "\u00e9",
            "e\u0301",
            "\u00df",
            "\u1e9e",
            "SS",
            "\u0130",
            "i",
            "I",
            "\u200b",
            "\u202ex",
            "\ufeffx",
            "\uffff",
            "\u65e5\u672c\u8a9e",
            "\ud83d\ude00",
            "x".repeat(512),
            "\u00fc".repeat(256),
            "\ud83d\ude00".repeat(128),
            TAIL + "1",
            TAIL + "2");

    @Test
    void hostileNamesAreLocksOfTheirOwn() throws Exception {
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (String name : HOSTILE) {
            all.add(a.lock(name).acquireAsync());
        }
        for (int i = 0; i < all.size(); i++) {
            String name = HOSTILE.get(i);
            assertThat(all.get(i)).as("'%s'", name).succeedsWithin(Duration.ofSeconds(soon()));
            assertThat(all.get(i).join().name()).isEqualTo(name);
        }
        for (String prefix : List.of("", "x", "x_", "_", "[", "%", "\\", "$x", "\u00fc", "\ud83d\ude00", TAIL)) {
            List<String> begin =
                    HOSTILE.stream().filter(name -> name.startsWith(prefix)).toList();
            eventually()
                    .untilAsserted(() -> assertThat(b.admin().names(prefix))
                            .as("names that begin with '%s'", prefix)
                            .containsExactlyInAnyOrderElementsOf(begin));
        }
        for (int i = 0; i < all.size(); i++) {
            String name = HOSTILE.get(i);
            awaitClaims(name, 1);
            assertThat(answered(() -> b.lock(name).tryAcquire()))
                    .as("'%s'", name)
                    .isEmpty();
            giveBack(all.get(i).join());
            // Another member of the store may not have heard of it yet.
            eventually()
                    .untilAsserted(() -> assertThat(b.admin().inspect(name).claims())
                            .as("'%s'", name)
                            .isEmpty());
        }
    }

    @Test
    void aHostileNameIsWaitedForAndHandedOver() throws Exception {
        for (String name : List.of("../{x}*'\"\\%00", "\ud83d\ude00 \u65e5\u672c\u8a9e", "x".repeat(512))) {
            Lease held = a.lock(name).acquire();
            CompletableFuture<Lease> next = queued(b.lock(name));
            giveBack(held);
            giveBack(soon(next));
        }
    }

    /** Holds as many names as {@code -Dbelay.names.held} says while others come and go, and lists them. */
    @Test
    @Tag(StoreTck.COSTLY)
    void namesThatStayAreListedOnceWhileOthersComeAndGo() throws Exception {
        int number = Integer.getInteger("belay.names.held", 1_000);
        Set<String> stay = new HashSet<>();
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            stay.add("stay:" + i);
            all.add(a.lock("stay:" + i).acquireAsync());
            if (all.size() == 100) { // as below
                for (CompletableFuture<Lease> one : all) {
                    soon(one);
                }
                all.clear();
            }
        }
        for (CompletableFuture<Lease> one : all) {
            soon(one);
        }
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger gone = new AtomicInteger();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                giveBack(a.lock("go:" + gone.incrementAndGet()).acquireAsync().join());
            }
        });
        try {
            for (int i = 0; i < 3; i++) {
                int before = gone.get();
                eventually().until(() -> gone.get() > before || others.isDone());
                List<String> listed = b.admin().names("").toList();
                assertThat(listed).doesNotHaveDuplicates().containsAll(stay);
                assertThat(listed).allMatch(name -> stay.contains(name) || name.startsWith("go:"));
                assertThat(b.admin().names("stay:")).containsExactlyInAnyOrderElementsOf(stay);
                assertThat(b.namespace("stay").admin().names("29"))
                        .containsExactlyInAnyOrderElementsOf(stay.stream()
                                .map(name -> name.substring("stay:".length()))
                                .filter(name -> name.startsWith("29"))
                                .toList());
                assertThat(b.admin().names("nobody's")).isEmpty();
            }
        } finally {
            done.set(true);
            others.get(soon(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aNamespaceIsPartOfTheNameAndNothingElse() throws Exception {
        Belay inside = a.namespace("shop");
        Lease held = inside.lock("x").acquire();
        assertThat(held.name()).isEqualTo("shop:x");
        assertThat(b.lock("shop:x").tryAcquire()).isEmpty();
        giveBack(b.lock("x").acquire());
        giveBack(held);
    }

    /** Takes and gives back as many names as {@code -Dbelay.names} says. */
    @Test
    @Tag(StoreTck.COSTLY)
    void manyNamesAreTakenAndLeaveNothingBehind() throws Exception {
        int names = Integer.getInteger("belay.names", 100_000);
        int chunk = 100; // at once: a slow store on a busy machine answers them well before a request counts as lost
        for (int from = 0; from < names; from += chunk) {
            List<CompletableFuture<ReleaseOutcome>> all = new ArrayList<>();
            for (int i = from; i < Math.min(names, from + chunk); i++) {
                all.add(a.lock("name" + i).acquireAsync().thenCompose(Lease::releaseAsync));
            }
            for (CompletableFuture<ReleaseOutcome> one : all) {
                isGivenBack(one.get(soon(), TimeUnit.SECONDS));
            }
            assertThat(b.admin().inspect("name" + from).claims()).isEmpty();
        }
    }
}
