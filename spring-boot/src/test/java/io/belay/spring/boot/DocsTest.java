package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

/** What the page on Spring shows compiles as it stands there. */
class DocsTest {
    /** In each zone, also in the nights in which its clocks are changed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "Europe/Athens",
                "America/New_York",
                "America/Santiago",
                "Africa/Cairo",
                "Asia/Tokyo"
            })
    void theNightlyReportBeginsOncePerNight(ZoneId zone) throws Exception {
        String page = Files.readString(Path.of("../docs/spring.md"));
        Matcher shown = Pattern.compile("cron = \"([^\"]*)\"\\)\npublic void reportEachNight\\(")
                .matcher(page);
        assertThat(shown.find()).isTrue();
        assertThat(starts(shown.group(1), zone))
                .extracting(ZonedDateTime::toLocalDate)
                .doesNotHaveDuplicates()
                .hasSize(365);
    }

    /** What the page says of other jobs. */
    @Test
    void aChangeOfTheClocksTakesAStartAwayOrBringsItTwice() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        assertThat(shortest("0 0 2 * * *", zone)).isEqualTo(Duration.ofHours(1));
        assertThat(starts("0 0 2 * * *", zone))
                .extracting(ZonedDateTime::toLocalDate)
                .doesNotContain(LocalDate.of(2026, 3, 29));
        assertThat(shortest("0 0 */2 * * *", zone)).isEqualTo(Duration.ofHours(1));
        assertThat(shortest("0 0 */3 * * *", zone)).isEqualTo(Duration.ofHours(2));
        assertThat(shortest("0 0 * * * *", zone)).isEqualTo(Duration.ofHours(1));
        assertThat(shortest("0 0 0 * * *", zone)).isEqualTo(Duration.ofHours(23));
    }

    private static Duration shortest(String cron, ZoneId zone) {
        List<ZonedDateTime> starts = starts(cron, zone);
        return IntStream.range(1, starts.size())
                .mapToObj(i -> Duration.between(starts.get(i - 1), starts.get(i)))
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns the starts that Spring reckons for a year. */
    private static List<ZonedDateTime> starts(String cron, ZoneId zone) {
        CronExpression expression = CronExpression.parse(cron);
        ZonedDateTime year = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, zone);
        return Stream.iterate(
                        Objects.requireNonNull(expression.next(year.minusSeconds(1))),
                        start -> start.isBefore(year.plusYears(1)),
                        start -> Objects.requireNonNull(expression.next(start)))
                .toList();
    }

    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("spring.md");
        assertThat(snippets.count()).isGreaterThan(4);
        List<String> imports = List.of(
                "io.belay.*",
                "io.belay.jdbc.*",
                "io.belay.spring.*",
                "com.tngtech.archunit.junit.ArchTest",
                "com.tngtech.archunit.lang.ArchRule",
                "com.tngtech.archunit.library.ProxyRules",
                "java.sql.Connection",
                "java.sql.SQLException",
                "java.time.Duration",
                "javax.sql.DataSource",
                "org.springframework.boot.health.contributor.*",
                "org.springframework.context.SmartLifecycle",
                "org.springframework.context.annotation.Bean",
                "org.springframework.core.env.Environment",
                "org.springframework.jdbc.datasource.DataSourceUtils",
                "org.springframework.scheduling.annotation.Scheduled",
                "org.springframework.stereotype.Service",
                "org.springframework.transaction.annotation.Transactional",
                "org.springframework.transaction.support.TransactionTemplate");
        String fields = "interface Stock { int read(String sku); void write(String sku, int left); } interface Reports"
                + " { void write(); void write(long token); } static Stock stock; Reports reports; Belay belay;"
                + " TransactionTemplate transactions; DataSource dataSource; SqlFence fence;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
    }
}
