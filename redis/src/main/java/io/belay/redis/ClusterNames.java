package io.belay.redis;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the names in a cluster page by page, master after master, in the order of their addresses. A key may move
 * meanwhile, from a master that is yet to be read to one that was read. So each master is asked before and behind that
 * which slots it has and which of them are on their way, and if anything moves or has moved, all are read once more.
 */
final class ClusterNames {
    /** The most times that all are read: a key is missed only if it has moved in each of them. */
    private static final int ROUNDS = 3;

    private final ClusterNodes nodes;
    private final Settings settings;

    /**
     * The place that a listing has come to.
     *
     * @param round how many times the masters are read with this one
     * @param view the {@linkplain ClusterView#state() state} as the round began
     * @param at the master's own cursor; empty for its beginning
     * @param master the address of the master that is next; if it is none any more, the one that follows in the order
     */
    private record Place(int round, String view, String at, String master) {
        static Place of(String cursor) {
            String[] parts = cursor.split(" ", -1);
            return new Place(Integer.parseInt(parts[0]), parts[1], parts[2], parts[3]);
        }

        static Place first(int round, String view) {
            return new Place(round, view, "", "");
        }

        String cursor() {
            return round + " " + view + " " + at + " " + master;
        }
    }

    ClusterNames(ClusterNodes nodes, Settings settings) {
        this.nodes = nodes;
        this.settings = settings;
    }

    CompletableFuture<Store.NamePage> page(String prefix, String cursor) {
        return cursor.isEmpty()
                ? view().thenCompose(view -> page(prefix, Place.first(1, view.state())))
                : page(prefix, Place.of(cursor));
    }

    private CompletableFuture<Store.NamePage> page(String prefix, Place place) {
        NavigableMap<String, Address> masters = new TreeMap<>();
        nodes.slots().masters().forEach(address -> masters.put(address.toString(), address));
        Map.Entry<String, Address> next = masters.ceilingEntry(place.master);
        if (next == null) {
            return end(List.of(), place);
        }
        String master = next.getKey();
        String at = master.equals(place.master) ? place.at : "";
        return nodes.reach(next.getValue())
                .thenCompose(link -> NameScan.page(link, settings, prefix, at))
                .thenCompose(page -> {
                    String following = page.next().isPresent() ? master : masters.higherKey(master);
                    return following == null
                            ? end(page.names(), place)
                            : CompletableFuture.completedFuture(page(
                                    page.names(),
                                    new Place(
                                            place.round, place.view, page.next().orElse(""), following)));
                });
    }

    /** Ends a round, and with it the listing, unless slots have moved. */
    private CompletableFuture<Store.NamePage> end(List<String> names, Place place) {
        return view().thenApply(now -> place.round == ROUNDS || now.isAsAt(place.view)
                ? Store.NamePage.last(names)
                : page(names, Place.first(place.round + 1, now.state())));
    }

    private static Store.NamePage page(List<String> names, Place next) {
        return Store.NamePage.of(names, Optional.of(next.cursor()));
    }

    private CompletableFuture<ClusterView> view() {
        return view(System.nanoTime() + settings.timeout().toNanos());
    }

    /** Asks all masters, and again while they do not know of each other yet. */
    private CompletableFuture<ClusterView> view(long endNanos) {
        return nodes.askedAnew()
                .thenCompose(this::view)
                .thenCompose(view -> view.complete()
                        ? CompletableFuture.completedFuture(view)
                        : System.nanoTime() - endNanos > 0
                                ? CompletableFuture.failedFuture(changing())
                                : ClusterNodes.pause().thenCompose(over -> view(endNanos)));
    }

    private CompletableFuture<ClusterView> view(ClusterSlots slots) {
        List<CompletableFuture<String>> told = slots.masters().stream()
                .map(master -> nodes.reach(master).thenCompose(Link::nodes))
                .toList();
        return CompletableFuture.allOf(told.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> ClusterView.of(
                        told.stream().map(CompletableFuture::join).toList(), slots.assigned()));
    }

    private StoreException changing() {
        return nodes.failures()
                .unreachable("has a master that others do not know of yet, or that gets a first slot: try again", null);
    }
}
