package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names that come in pages of two, each beginning with the last of the page before. */
class NameListingTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();

    @Test
    void eachNameIsToldOnce() {
        List<String> names = IntStream.range(0, 100).mapToObj(i -> "x" + i).toList();
        names.forEach(name -> held(a.lock(name).acquireAsync()));
        held(a.client().election("x led").campaignAsync());
        assertThat(a.client().admin().names("x"))
                .hasSize(101)
                .doesNotHaveDuplicates()
                .containsAll(names)
                .contains("x led");
        assertThat(a.client().admin().names("x9")).hasSize(11);
        assertThat(a.client().admin().names("y")).isEmpty();
    }

    /** But for a semaphore whose number was set, which is kept. */
    @Test
    void whatNobodyUsesIsForgottenThoughNobodyAsksForAnythingElse() {
        a.client().semaphore("s", 1).resize(2);
        held(a.lock("x").acquireAsync()).release();
        assertThat(a.client().admin().names("")).containsExactlyInAnyOrder("s", "x");
        world.pass(Duration.ofMinutes(3));
        assertThat(a.client().admin().names("")).containsExactly("s");
    }

    @Test
    void aNamespaceListsItsOwnNames() {
        held(a.client().namespace("shop").lock("stock").acquireAsync());
        held(a.lock("shop").acquireAsync());
        held(a.lock("other:stock").acquireAsync());
        assertThat(a.client().namespace("shop").admin().names("")).containsExactly("stock");
        assertThat(a.client().namespace("shop").admin().names("st")).containsExactly("stock");
        assertThat(a.client().admin().names("shop:")).containsExactly("shop:stock");
    }

    @Test
    void pagesAreReadAsTheyAreAskedFor() {
        IntStream.range(0, 10).forEach(i -> held(a.lock("x" + i).acquireAsync()));
        Iterator<String> names = a.client().admin().names("").iterator();
        names.next();
        a.line().line = FaultyStore.Line.REFUSED;
        assertThatThrownBy(() -> names.forEachRemaining(name -> {}))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Listing the names failed");
    }

    @Test
    void aPrefixIsChecked() {
        assertThatThrownBy(() -> a.client().admin().names("a\nb")).isInstanceOf(IllegalArgumentException.class);
    }
}
