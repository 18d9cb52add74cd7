package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranges follow each other over all keys, without a gap, and hardly one has many more keys than a page. */
class KeyRangeTest {
    private static final Keys KEYS = new Keys("belay/");

    /** The most keys of a page. */
    private final int limit = 100;

    private final NavigableSet<byte[]> stored = new TreeSet<>(Arrays::compareUnsigned);
    /** The number of keys in each range that was asked for. */
    private final List<Integer> counts = new ArrayList<>();

    private void claim(String name, int number) {
        stored.add(KEYS.claim(name, 7, number, 1, 0).getBytes(StandardCharsets.UTF_8));
    }

    private void claims(int number, IntFunction<String> name) {
        IntStream.range(0, number).forEach(i -> claim(name.apply(i), i));
    }

    /** Lists the names of all claims as a server would. */
    private List<String> list(String prefix) {
        List<String> names = new ArrayList<>();
        KeyRange all = KeyRange.all(KEYS.claimsFrom(prefix));
        Optional<KeyRange> next = Optional.of(all);
        while (next.isPresent()) {
            KeyRange range = KeyRange.parse(next.get().cursor());
            List<ByteSequence> keys = stored
                    .subSet(range.first().getBytes(), range.end().getBytes())
                    .stream()
                    .map(ByteSequence::from)
                    .toList();
            counts.add(keys.size());
            List<ByteSequence> page = keys.subList(0, Math.min(limit, keys.size()));
            page.stream()
                    .map(KEYS::name)
                    .filter(name -> name != null)
                    .distinct()
                    .forEach(names::add);
            next = keys.size() > limit
                    ? Optional.of(KeyRange.afterFull(page, KEYS.behind(page.get(limit - 1))))
                    : range.afterAll(!page.isEmpty(), all.scope());
        }
        return names;
    }

    private void assertNarrow(int most, int wide) {
        assertThat(counts).as("ranges").hasSizeLessThanOrEqualTo(most);
        assertThat(counts)
                .as("ranges with the keys of more than 20 pages")
                .filteredOn(count -> count > 20 * limit)
                .hasSizeLessThanOrEqualTo(wide);
    }

    /** Nothing is known before the first page, whose range has all keys. */
    @Test
    void numbersAreListedInNarrowRanges() {
        claims(20_000, i -> "order:" + i);
        assertThat(list("")).hasSize(20_000).doesNotHaveDuplicates();
        assertNarrow(1_000, 1);
    }

    /** Between the digits and the letters there is so much room that the range behind it is wide once more. */
    @Test
    void randomNamesAreListedInNarrowRanges() {
        Random random = new Random(1);
        claims(20_000, i -> new UUID(random.nextLong(), random.nextLong()).toString());
        assertThat(list("")).hasSize(20_000).doesNotHaveDuplicates();
        assertNarrow(1_500, 2);
    }

    @Test
    void aNameWithManyClaimsIsListedOnce() {
        claims(1_000, i -> "x");
        claims(1_000, i -> "x0");
        claim("x-", 1);
        claim("y", 1);
        assertThat(list("")).containsExactly("x-", "x", "x0", "y");
        assertThat(list("x")).containsExactly("x-", "x", "x0");
        assertThat(list("x0")).containsExactly("x0");
        assertThat(list("z")).isEmpty();
    }

    /** Also those in UTF-8 of which a page ends, or a range, within a character. */
    @Test
    void noNameIsMissed() {
        Random random = new Random(2);
        String[] parts = {
            "a", "b", "/", "%", "%2F", "\u0001", " ", "~", "\u00fc", "\uffff", "\ud83d\ude00", "\ud83d\ude01"
        };
        for (int i = 0; i < 3_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int length = 1 + random.nextInt(6); length > 0; length--) {
                name.append(parts[random.nextInt(parts.length)]);
            }
            claim(name.toString(), i);
        }
        List<String> all = list("");
        assertThat(all).doesNotHaveDuplicates().hasSizeGreaterThan(2_000);
        for (String part : parts) {
            assertThat(list(part))
                    .containsExactlyElementsOf(
                            all.stream().filter(name -> name.startsWith(part)).toList());
        }
    }

    @Test
    void whatOthersHavePutThereIsPassedOver() {
        claim("x", 1);
        claim("z", 1);
        for (int i = 0; i < 250; i++) {
            stored.add(("belay/claims/" + i).getBytes(StandardCharsets.UTF_8));
            stored.add(("belay/claims/x/" + i).getBytes(StandardCharsets.UTF_8));
            stored.add(("belay/claims/0000000000000007-" + i).getBytes(StandardCharsets.UTF_8));
            stored.add(("belay/claims/y\u00ff/0000000000000007-00000000000000%02x-1-0".formatted(i))
                    .getBytes(StandardCharsets.ISO_8859_1));
            stored.add(("belay/claims/y\u00ff\u00ff\u00ff" + i).getBytes(StandardCharsets.ISO_8859_1));
        }
        stored.add("belay/claims/0000000000000007-0000000000000007-1-0".getBytes(StandardCharsets.UTF_8));
        stored.add("belay/claims/a%2f/0000000000000007-0000000000000007-1-0".getBytes(StandardCharsets.UTF_8));
        assertThat(list("")).containsExactly("x", "z");
    }
}
