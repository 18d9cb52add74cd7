package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.LeaseLostException;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.SqlFence;
import io.belay.spring.Shapes.Shape;
import io.belay.spring.ShopApplication.Kind;
import jakarta.persistence.TransactionRequiredException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What becomes of each shape of transaction whose lock is lost, by JDBC and by JPA: just what the page on Spring says. */
@Tag("long")
@Tag("transactions")
class TransactionTableTest {
    private static final Map<Kind, AnnotationConfigApplicationContext> APPLICATIONS = new EnumMap<>(Kind.class);
    private static final Map<String, Shape> SHAPES = Shapes.all();
    private static final String HEAD = "| the lock is lost in | JDBC | JPA | fenced | |";

    /** What came of a call. */
    private record Run(int sold, int fences, @Nullable Throwable thrown) {
        boolean threw(Class<?> type) {
            return Stream.iterate(thrown, error -> error != null, Throwable::getCause)
                    .anyMatch(type::isInstance);
        }

        boolean isRefused() {
            return thrown instanceof IllegalStateException
                    && thrown.getMessage().contains("is @Locked and was called inside a transaction");
        }

        boolean isRefusedByJpa() {
            return threw(TransactionRequiredException.class) || threw(NestedTransactionNotSupportedException.class);
        }
    }

    @BeforeAll
    static void start() {
        for (Kind kind : Kind.values()) {
            APPLICATIONS.put(kind, kind.start());
        }
    }

    @AfterAll
    static void stop() {
        APPLICATIONS.values().forEach(AnnotationConfigApplicationContext::close);
    }

    /** Returns the cells of the rows of the page's table, by the first of each. */
    private static Map<String, List<String>> page() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        Files.readString(Path.of("..", "docs", "spring.md"))
                .lines()
                .dropWhile(line -> !line.equals(HEAD))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .forEach(cells -> rows.put(cells.get(0), cells.subList(1, 5)));
        return rows;
    }

    static Stream<String> titles() {
        return SHAPES.keySet().stream();
    }

    /** But for that where another database's transaction ends first. */
    static Stream<String> fencedTitles() throws IOException {
        Map<String, List<String>> rows = page();
        return titles().filter(title ->
                rows.get(title).get(2).equals("yes") && !rows.get(title).get(0).startsWith("half"));
    }

    @Test
    void thePageHasEachShapeAndNoOther() throws Exception {
        assertThat(page().keySet()).containsExactlyElementsOf(SHAPES.keySet());
        assertThat(SHAPES).hasSizeGreaterThanOrEqualTo(23);
    }

    @ParameterizedTest
    @MethodSource("titles")
    void eachShapeEndsAsThePageSays(String title) throws Exception {
        List<String> row = page().get(title);
        List<String> found = new ArrayList<>();
        List<String> fenced = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Shape shape = SHAPES.get(title);
            if (!shape.isFor(kind)) {
                found.add("–");
                continue;
            }
            Run calm = run(kind, shape, () -> {});
            Run lost = run(kind, shape, loss(kind, shape));
            found.add(outcome(calm, lost));
            if (calm.sold() > 0) {
                fenced.add(calm.fences() > 0 ? "yes" : "no");
            }
        }
        found.add(fenced.stream().distinct().reduce((one, other) -> "differs").orElse("–"));
        assertThat(found).isEqualTo(row.subList(0, 3));
        if (found.stream().anyMatch(cell -> cell.contains("committed"))) {
            assertThat(row.get(3)).as("its remark").matches("(not guarded|as it should be): .+");
        }
    }

    private static String outcome(Run calm, Run lost) {
        if (calm.isRefused() && lost.isRefused()) {
            return "refused";
        } else if (calm.isRefusedByJpa() && lost.isRefusedByJpa()) {
            return "refused by JPA";
        }
        assertThat(calm.sold()).as("sold while the lock is held").isPositive();
        assertThat(calm.threw(LeaseLostException.class)).isFalse();
        String told = lost.threw(LeaseLostException.class) ? "" : ", untold";
        if (!told.isEmpty()) {
            assertThat(lost.thrown()).isNull();
        }
        return (lost.sold() == 0 ? "rolled back" : lost.sold() < calm.sold() ? "half committed" : "committed") + told;
    }

    /** A later holder was there: also where it is not the method with the lock that begins the transaction. */
    @ParameterizedTest
    @MethodSource("fencedTitles")
    void aFenceThatRefusesRollsEachBack(String title) throws Exception {
        List<String> row = page().get(title);
        Shape shape = SHAPES.get(title);
        for (Kind kind : Kind.values()) {
            if (shape.isFor(kind) && !row.get(kind.ordinal()).startsWith("refused")) {
                Run refused = run(kind, shape, () -> {}, shape.lock());
                assertThat(refused.sold()).as(kind + "").isZero();
                assertThat(refused.threw(StaleTokenException.class)
                                || row.get(0).equals("rolled back, untold"))
                        .as("%s: %s", kind, refused.thrown())
                        .isTrue();
            }
        }
    }

    private static Runnable loss(Kind kind, Shape shape) {
        Belay belay = APPLICATIONS.get(kind).getBean(Belay.class);
        return () -> Shop.lose(belay, shape.lock());
    }

    private static Run run(Kind kind, Shape shape, Runnable point, String... succeeded) throws SQLException {
        AnnotationConfigApplicationContext application = APPLICATIONS.get(kind);
        Shop shop = application.getBean(Shop.class);
        application.getBeansOfType(DataSource.class).values().stream()
                .map(JdbcTemplate::new)
                .forEach(jdbc -> {
                    jdbc.update("DELETE FROM sold");
                    jdbc.update("DELETE FROM belay_fence");
                });
        try (Connection later = application.getBean(DataSource.class).getConnection()) {
            for (String lock : succeeded) {
                SqlFence.standard().announce(later, lock, Long.MAX_VALUE);
            }
        }
        Leaderships leaderships = application.getBean(Leaderships.class);
        await().until(() -> leaderships.lease(new Leaderships.Key("", "shops")).isPresent());
        shop.setPoint(point);
        Throwable thrown = catchThrowable(() -> shape.call().of(shop, application));
        await().until(() -> shop.pending().isDone());
        assertThat(TransactionSynchronizationManager.getResourceMap())
                .as("what is left on the thread")
                .isEmpty();
        return new Run(count(application, "sold"), count(application, "belay_fence"), thrown);
    }

    private static int count(AnnotationConfigApplicationContext application, String table) {
        return application.getBeansOfType(DataSource.class).values().stream()
                .map(JdbcTemplate::new)
                .mapToInt(jdbc -> jdbc.queryForObject("SELECT count(*) FROM " + table, Integer.class))
                .sum();
    }
}
