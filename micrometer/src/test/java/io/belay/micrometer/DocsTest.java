package io.belay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** That the page on meters has those which there are, in its table and in its alerts. */
class DocsTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");
    private static final Pattern NAME = Pattern.compile("\\bbelay_[a-z_]+");

    @Test
    void thePageHasAllMetersAndNoOthers() throws Exception {
        Set<String> shown = NAME.matcher(Files.readString(PAGE))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        Scrape.Target target = new Scrape.Target();
        try (Belay belay = Belay.connect("memory:docs")) {
            BelayMetrics.of(belay).bindTo(target.registry);
            Set<String> there = target.again().values().keySet().stream()
                    .map(meter -> meter.replaceFirst("\\{.*", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(shown).isEqualTo(there);
        }
    }

    @Test
    void thePageHasAllNamesOfMicrometer() throws Exception {
        String page = Files.readString(PAGE);
        Scrape.Target target = new Scrape.Target();
        try (Belay belay = Belay.connect("memory:docs")) {
            BelayMetrics.of(belay).bindTo(target.registry);
            assertThat(target.registry.getMeters())
                    .isNotEmpty()
                    .allSatisfy(meter ->
                            assertThat(page).contains("| `" + meter.getId().getName() + "` |"));
            assertThat(target.registry.getMeters())
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getDescription()).isNotBlank());
        }
    }
}
