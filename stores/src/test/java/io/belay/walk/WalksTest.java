package io.belay.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import io.belay.servers.Premise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Follows the calls of five walks by a debugger, and compares them with what docs/architecture.md says of them. With
 * {@code -Dbelay.walks=DIRECTORY} it also draws them there.
 */
@Tag("single")
@Tag("long")
class WalksTest {
    private static final Path PAGE = Path.of("..", "docs", "architecture.md");

    /** A walk of the page: its name as a heading, and its stations in a block. */
    private static final Pattern WALK = Pattern.compile("### `(\\w+)`.*?```\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern STATION = Pattern.compile("\\b[A-Z]\\w+\\.[a-z]\\w*");

    @Test
    void theWalksGoAsThePageSays() throws Exception {
        Premise.withLease(Duration.ofSeconds(3), this::theWalksGoAsThePageSays);
    }

    private void theWalksGoAsThePageSays(Duration lease) throws Exception {
        Map<String, Walk> walks = Walks.of(ChildJvm.classPath(Walker.class), "memory:walks", lease);
        assertThat(walks.keySet()).containsExactly("acquire", "release", "push", "renewal", "loss");
        String directory = System.getProperty("belay.walks");
        for (Map.Entry<String, Walk> walk : walks.entrySet()) {
            System.out.printf(
                    "%s: %d classes, %d calls, %d changes of class%n",
                    walk.getKey(),
                    walk.getValue().classes(),
                    walk.getValue().calls().size(),
                    walk.getValue().changes());
            String drawn = WalkPicture.of(walk.getKey(), walk.getValue());
            assertThat(drawn).as("the picture of " + walk.getKey()).doesNotContain("null", "NaN");
            if (directory != null) {
                Path picture = Path.of(directory, walk.getKey() + ".svg");
                Files.createDirectories(picture.getParent());
                Files.writeString(picture, drawn);
            }
        }
        List<MatchResult> told = WALK.matcher(Files.readString(PAGE)).results().toList();
        assertThat(told).extracting(one -> one.group(1)).containsExactlyElementsOf(walks.keySet());
        for (MatchResult one : told) {
            List<String> stations = STATION.matcher(one.group(2))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(stations).as(one.group(1)).hasSizeGreaterThan(3);
            assertThat(walks.get(one.group(1)).missing(stations))
                    .as("the first station of %s that is not where the page says", one.group(1))
                    .isEmpty();
        }
    }
}
