package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Store.NamePage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Pages of names with a prefix, of a collection that has its keys in MongoDB's order. */
class NamePlaceTest {
    private static final Comparator<byte[]> ORDER =
            Comparator.<byte[]>comparingInt(bytes -> bytes.length).thenComparing(Arrays::compareUnsigned);

    private final TreeSet<byte[]> keys = new TreeSet<>(ORDER);
    private final Random random = new Random(1);
    private int pages;

    private void add(String name) {
        keys.add(name.getBytes(StandardCharsets.UTF_8));
    }

    private String text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(List.of("a", "m", "z", "\u00fc", "\ud83d\ude00").get(random.nextInt(5)));
        }
        return text.toString();
    }

    /** Lists as a client does; each page begins where the cursor says. */
    private Set<String> list(String prefix) {
        Set<String> names = new HashSet<>();
        Optional<String> cursor = Optional.of("");
        pages = 0;
        while (cursor.isPresent()) {
            NamePlace from = cursor.get().isEmpty() ? NamePlace.first(prefix) : NamePlace.of(cursor.get());
            List<byte[]> read =
                    keys.tailSet(from.bytes()).stream().limit(NamePlace.PAGE).toList();
            NamePage page = NamePlace.page(prefix, read);
            names.addAll(page.names());
            cursor = page.next();
            pages++;
        }
        return names;
    }

    @Test
    void haveAllNamesWithThePrefixAndNoOther() {
        add("");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String name = text(1 + random.nextInt(12));
            all.add(name);
            add(name);
        }
        for (String prefix : List.of("", "a", "z", "zz", "\u00fc", "ma\ud83d\ude00", "nobody's")) {
            assertThat(list(prefix))
                    .as("names that begin with '%s'", prefix)
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .filter(name -> name.startsWith(prefix))
                            .collect(HashSet::new, Set::add, Set::addAll));
        }
    }

    /** A few of one namespace beside many of another are found by a page for each length, and not by all there are. */
    @Test
    void passOverWhatOthersHave() {
        for (int i = 0; i < 200_000; i++) {
            add("other:" + i);
        }
        for (int i = 0; i < 20; i++) {
            add("shop:" + i);
            add("zoo:" + i);
        }
        assertThat(list("shop:")).hasSize(20);
        assertThat(pages).isLessThan(12);
        assertThat(list("zoo:")).hasSize(20);
        assertThat(pages).isLessThan(12);
    }
}
