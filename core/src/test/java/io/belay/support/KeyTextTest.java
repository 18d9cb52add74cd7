package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which objects can be the key of a lock. */
class KeyTextTest {
    private static final class Nameless {}

    private record Order(int id, Object item) {}

    private record Named(int id, Object item) {
        @Override
        public String toString() {
            return "order " + id;
        }
    }

    @Test
    void whatHasATextIsTaken() {
        UUID id = UUID.randomUUID();
        assertThat(KeyText.of("a@1b")).isEqualTo("a@1b");
        assertThat(KeyText.of(new StringBuilder("a"))).isEqualTo("a");
        assertThat(KeyText.of(7)).isEqualTo("7");
        assertThat(KeyText.of(new BigDecimal("1.50"))).isEqualTo("1.50");
        assertThat(KeyText.of(true)).isEqualTo("true");
        assertThat(KeyText.of(TimeUnit.DAYS)).isEqualTo("DAYS");
        assertThat(KeyText.of(id)).isEqualTo(id.toString());
        assertThat(KeyText.of(LocalDate.of(2026, 1, 2))).isEqualTo("2026-01-02");
        assertThat(KeyText.of(new Order(1, "x"))).isEqualTo("Order[id=1, item=x]");
    }

    @Test
    void whatIsInAnOrderIsTakenInARecord() {
        assertThat(KeyText.of(new Order(1, Set.of("a")))).isEqualTo("Order[id=1, item=[a]]");
        assertThat(KeyText.of(new Order(1, List.of("b", "a")))).isEqualTo("Order[id=1, item=[b, a]]");
        assertThat(KeyText.of(Map.entry("a", Set.of("b")))).isEqualTo("a=[b]");
        assertThat(KeyText.of(new Order(1, new TreeSet<>(Set.of("b", "a"))))).isEqualTo("Order[id=1, item=[a, b]]");
        assertThat(KeyText.of(new Order(1, EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS))))
                .isEqualTo("Order[id=1, item=[HOURS, DAYS]]");
        assertThat(KeyText.of(new Named(1, Set.of("a", "b"))))
                .as("of which nothing is in the text")
                .isEqualTo("order 1");
    }

    @Test
    void collectionsAndArraysAreTakenElementByElement() {
        assertThat(KeyText.of(List.of("a", 1))).isEqualTo("[a, 1]");
        assertThat(KeyText.of(new String[] {"a", "b"})).isEqualTo("[a, b]");
        assertThat(KeyText.of(new int[][] {{1, 2}, {}})).isEqualTo("[[1, 2], []]");
        assertThat(KeyText.of(Set.of("b", "c", "a"))).isEqualTo("[a, b, c]");
        assertThat(KeyText.of(Map.of("x", "b", "y", "c", "z", "a").values())).isEqualTo("[a, b, c]");
        assertThat(KeyText.of(new ArrayDeque<>(List.of("b", "a")))).isEqualTo("[b, a]");
    }

    /** An address, or anything else with an @ that names no class, is a text like others. */
    @Test
    void onlyNamesOfClassesAreSuspect() {
        assertThat(KeyText.of(new Order(1, "bob.smith@cafe"))).contains("bob.smith@cafe");
        assertThat(KeyText.examined("bob@cafe")).isEqualTo("bob@cafe");
        assertThat(KeyText.of(Nameless.class.getName() + "@1f")).endsWith("@1f");
    }

    /** As of a thread of the common pool, in an executable jar. */
    @Test
    void namesOfClassesAreKnownToThreadsWhoseLoaderKnowsNone() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThatThrownBy(() -> KeyText.examined("order:" + Nameless.class.getName() + "@1f"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("has the text of a ");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    static List<Object> refused() {
        Runnable lambda = () -> {};
        return Arrays.asList(
                new Nameless(),
                new Nameless[] {new Nameless()},
                List.of("a", new Nameless()),
                Arrays.asList("a", null),
                new Order(1, new Nameless()),
                new Order(1, new int[0]),
                new Order(1, new String[] {"a"}),
                new Order(1, lambda),
                new Order(1, Set.of("a", "b")),
                new Order(1, Map.of("a", 1, "b", 2)),
                List.of(new Order(1, new Order(2, new HashSet<>(List.of("a", "b"))))),
                new Order(1, List.of(Set.of("a", "b"))),
                new Order(1, Map.of("a", Set.of("a", "b"))),
                new Order(1, Optional.of(Set.of("a", "b"))),
                new Order(1, List.of(new Order(2, Set.of("a", "b")))),
                new Order(1, Map.of("a", 1, "b", 2).values()),
                new Order(1, Map.entry("a", Set.of("a", "b"))),
                List.of(Map.entry(Set.of("a", "b"), 1)),
                lambda,
                Map.entry("a", new Nameless()),
                new Date(0),
                List.of(new GregorianCalendar()),
                new byte[] {1},
                List.of(new char[] {'a'}),
                Map.of("a", 1),
                Optional.of("a"),
                OptionalInt.of(1),
                OptionalLong.empty(),
                List.of(OptionalDouble.of(1)));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Object value) {
        assertThatThrownBy(() -> KeyText.of(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(is|has) .*");
    }
}
