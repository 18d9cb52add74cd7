package io.belay.quorum;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page of the names that members list: one member after the other, until a majority has told all it has. A lock
 * that is held the whole time is on one of those. Who does not answer in time is passed over, and what it told before
 * counts for nothing.
 */
final class MemberNames {
    private final Quorum quorum;
    private final QuorumStore store;
    private final String prefix;
    private final Place first;
    private final CompletableFuture<Store.NamePage> result = new CompletableFuture<>();

    /**
     * The place that a listing has come to.
     *
     * @param complete how many members have told all they have
     * @param member who is asked next
     * @param cursor that member's own cursor; empty for its beginning
     */
    private record Place(int complete, int member, String cursor) {
        static Place of(String cursor) {
            String[] parts = cursor.split(" ", 3);
            return new Place(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
        }

        Place passedOver() {
            return new Place(complete, member + 1, "");
        }

        Place completed() {
            return new Place(complete + 1, member + 1, "");
        }

        @Override
        public String toString() {
            return complete + " " + member + " " + cursor;
        }
    }

    MemberNames(Quorum quorum, QuorumStore store, String prefix, String cursor) {
        this.quorum = quorum;
        this.store = store;
        this.prefix = prefix;
        first = cursor.isEmpty() ? new Place(0, 0, "") : Place.of(cursor);
    }

    /** Asks for the page, as a step of the loop. */
    CompletableFuture<Store.NamePage> page() {
        ask(first);
        return result;
    }

    private void ask(Place place) {
        if (place.member == quorum.size) {
            result.completeExceptionally(StoreException.unreachable(
                    place.complete + " of the " + quorum.size + " members of the quorum told their names, and it takes "
                            + quorum.majority + "; " + store.troubles(null),
                    null));
            return;
        }
        Member member = quorum.members.get(place.member);
        boolean[] over = {false};
        member.names(prefix, place.cursor, page -> {
            if (!over[0]) {
                over[0] = true;
                told(place, page);
            }
        });
        quorum.afterTimeout(() -> !over[0], () -> {
            over[0] = true;
            member.suspect();
            ask(place.passedOver());
        });
    }

    private void told(Place place, Store.@Nullable NamePage page) {
        if (page == null) {
            ask(place.passedOver());
        } else if (page.next().isPresent()) {
            answer(
                    page.names(),
                    new Place(place.complete, place.member, page.next().get()));
        } else if (place.complete + 1 == quorum.majority) {
            result.complete(Store.NamePage.last(page.names()));
        } else {
            answer(page.names(), place.completed());
        }
    }

    private void answer(List<String> names, Place next) {
        result.complete(Store.NamePage.of(names, Optional.of(next.toString())));
    }
}
