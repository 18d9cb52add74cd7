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
 * Follows the calls of five walks by a debugger, counts them, and compares them with what docs/architecture.md says of them. With
 * {@code -Dbelay.walks=DIRECTORY} it also draws them there.
 */
@Tag("single")
@Tag("long")
class WalksTest {
    private static final Path PAGE = Path.of("..", "docs", "architecture.md");

    /** A walk of the page: its name as a heading, and its stations in a block. */
    private static final Pattern WALK = Pattern.compile("### `(\\w+)`.*?```\\n(.*?)```", Pattern.DOTALL);

    /** The most of classes, calls and changes of class that a walk may have, by its name. */
    private static final Map<String, List<Integer>> MOST =
            Map.of("acquire", List.of(40, 330, 190), "release", List.of(30, 200), "push", List.of(38, 320));

    private static final Pattern STATION = Pattern.compile("\\b[A-Z]\\w+\\.[a-z]\\w*");

    @Test
    void theWalksGoAsThePageSays() throws Exception {
        Premise.withLease(Duration.ofSeconds(3), this::theWalksGoAsThePageSays);
    }

    /** With a longer lease it would be begun again in vain. */
    @Test
    void aHandOverThatTookTooLongIsMadeAgain() throws Exception {
        Premise.withLease(Duration.ofSeconds(8), lease -> {
            assertThat(Walks.of(ChildJvm.classPath(Walker.class), "memory:walks", lease, 2))
                    .containsKey("push");
        });
    }

    private void theWalksGoAsThePageSays(Duration lease) throws Exception {
        Map<String, Walk> walks = Walks.of(ChildJvm.classPath(Walker.class), "memory:walks", lease, 0);
        assertThat(walks.keySet()).containsExactly("acquire", "release", "push", "renewal", "loss");
        String directory = System.getProperty("belay.walks");
        for (Map.Entry<String, Walk> walk : walks.entrySet()) {
            List<Integer> seen = List.of(
                    walk.getValue().classes(),
                    walk.getValue().calls().size(),
                    walk.getValue().changes());
            System.out.printf(
                    "%s: %d classes, %d calls, %d changes of class%n",
                    walk.getKey(), seen.get(0), seen.get(1), seen.get(2));
            List<Integer> most = MOST.getOrDefault(walk.getKey(), List.of());
            for (int i = 0; i < most.size(); i++) {
                assertThat(seen.get(i)).as(walk.getKey() + ": " + seen).isLessThanOrEqualTo(most.get(i));
            }
            String drawn = WalkPicture.of(walk.getKey(), walk.getValue());
            assertThat(drawn).as("the picture of " + walk.getKey()).doesNotContain("null", "NaN");
            Path kept = PAGE.resolveSibling("walks").resolve(walk.getKey() + ".svg");
            if (directory == null && !walk.getKey().equals("loss")) { // whose log's classes differ from run to run
                assertThat(WalkPicture.types(Files.readString(kept)))
                        .as("the classes in " + kept)
                        .containsExactlyInAnyOrderElementsOf(WalkPicture.types(drawn));
            }
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
