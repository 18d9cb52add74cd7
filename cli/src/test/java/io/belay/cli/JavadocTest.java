package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Javadocs of all modules open with a noun or a verb, so that they say who acts or what a thing is. */
class JavadocTest {
    private static final int PERCENT = 5;

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern MARKUP = Pattern.compile("(?m)^\\s*\\*|<[^>]*>|\\{@(?:code|link|linkplain)\\b");
    private static final Pattern WORD = Pattern.compile("[^A-Za-z@]*([A-Za-z']+)");

    /** Words that are neither a noun, nor an article before one, nor a verb. */
    private static final Set<String> REFUSED =
            Set.of(("about above after again against all already also always and another"
                            + " any anybody anything as at because before behind below beside besides between beyond both but by during"
                            + " each else ever every everybody everything except few for from he her here him his how i if in instead"
                            + " it its least less like many me more most much my near never no nobody none not nothing now of off often"
                            + " on once one ones only or other others our out over perhaps same she since so some somebody something"
                            + " soon still such that their them then there these they this those through thus to too under unless until"
                            + " up upon us very via we what when whenever where wherever whether which while who whom whose with within"
                            + " without yet you your")
                    .split(" "));

    /** The first words of a Javadoc if its opening is refused. */
    private static Optional<String> refused(String javadoc) {
        String text = MARKUP.matcher(javadoc).replaceAll(" ").strip();
        Matcher first = WORD.matcher(text);
        return first.lookingAt() && REFUSED.contains(first.group(1).toLowerCase(Locale.ROOT))
                ? Optional.of(text.lines().findFirst().orElseThrow())
                : Optional.empty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path main : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    @Test
    void allButAFewOpenWithANounOrAVerb() throws IOException {
        int count = 0;
        List<String> refused = new ArrayList<>();
        for (Path source : sources()) {
            for (MatchResult javadoc :
                    JAVADOC.matcher(Files.readString(source)).results().toList()) {
                count++;
                refused(javadoc.group(1)).ifPresent(text -> refused.add(source + ": " + text));
            }
        }
        assertThat(count).isGreaterThan(3_000);
        assertThat(refused).as("openings that are refused").hasSizeLessThan(count * PERCENT / 100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " Whether it was lost. ",
                "\n * How who waits learns of a release.\n ",
                " <p>Of a call: the number of the client ",
                " Nothing is sent twice. ",
                " It returns the lease "
            })
    void anOpeningIsRefused(String javadoc) {
        assertThat(refused(javadoc)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " Returns whether it was lost. ",
                " A claim. ",
                " @return the lease ",
                " {@link Hold}s of one claim. "
            })
    void anOpeningIsTaken(String javadoc) {
        assertThat(refused(javadoc)).isEmpty();
    }
}
