package io.belay.simulation;

import io.belay.document.Contents;
import io.belay.document.DocumentStore;
import io.belay.document.Documents;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Documents by name, each with a version, that are changed by compare-and-set. It keeps what it knows when it ends. */
final class Database extends Backend {
    private final TreeMap<String, Document> documents = new TreeMap<>();
    /** The latest time that was read: clocks that drift are put right, and back, once a second. */
    private long latest;
    /** Whether changes that are sent together are made one after the other, so that some may be made and others not. */
    final boolean piecemeal;

    private final boolean far;
    private final boolean rings;
    /** How long a client waits for an answer. */
    final long timeout;

    /** A document, and what it says. */
    private record Document(long version, byte[] state, long forget, Resource resource) {}

    Database(World world, long drift) {
        super(world, drift);
        Dice dice = world.chance;
        piecemeal = dice.onceIn(2);
        far = dice.onceIn(2);
        rings = dice.onceIn(2);
        timeout = dice.of(500_000_000L, 2_000_000_000L);
    }

    @Override
    Store open(Site site, long client, Store.Listener listener) {
        return new DocumentStore("belay-documents", new DocumentLink(this, site.machine, client), client, listener);
    }

    boolean isFar() {
        return far;
    }

    /** Whether clients hear each other's calls. */
    boolean rings() {
        return rings;
    }

    /** Where a document cannot be written leaves fail, too, and to try again is said not to help. */
    @Override
    long outlives() {
        return Thing.LONGEST_LEASE;
    }

    @Override
    Resource resource(String name) {
        Document present = documents.get(name);
        return present == null ? Resource.UNUSED : present.resource;
    }

    // What sessions ask.

    Documents.Reading read(Collection<String> resources) {
        Map<String, Documents.Found> found = new HashMap<>();
        for (String name : resources) {
            Document present = documents.get(name);
            if (present != null) {
                found.put(name, new Documents.Found(present.version, present.state.clone()));
            }
        }
        latest = Math.max(latest, micros());
        return new Documents.Reading(micros(), found);
    }

    /** Makes a change if it is due; returns whether it was. */
    boolean write(Documents.Change change, long notAfter, long client) {
        String name = change.resource();
        Document present = documents.get(name);
        long version = present == null ? 0 : present.version;
        if (version != change.before() || micros() > notAfter) {
            return false;
        }
        Resource before = resource(name);
        Document now = new Document(
                change.version(), change.state().clone(), change.forget(), Contents.resource(name, change.state()));
        documents.put(name, now);
        world.rules.judge(
                name, before, now.resource, client, Math.max(latest, micros())); // who has read it goes by that
        return true;
    }

    /** Gives a document a version alone; returns whether that was done. */
    boolean reserve(String name, long version, long over) {
        Document present = documents.get(name);
        if (present == null || present.version <= over) {
            return false;
        }
        documents.put(name, new Document(version, present.state, present.forget, present.resource));
        return true;
    }

    Store.NamePage names(String prefix) {
        return Store.NamePage.last(documents.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .toList());
    }

    void ring(Collection<Documents.Call> calls) {
        for (Documents.Call call : calls) {
            DocumentLink called = link(call.client());
            if (called != null) {
                called.rang(call.resource());
            }
        }
    }

    private @Nullable DocumentLink link(long client) {
        for (Link link : links()) {
            if (link.client() == client) {
                return (DocumentLink) link;
            }
        }
        return null;
    }

    void sweep() {
        long now = micros();
        documents.values().removeIf(document -> document.forget < now);
    }

    // What happens to it.

    @Override
    void evict(String name) {
        Document present = documents.get(name);
        if (present != null) {
            Step step = Request.Evict.of(name).applyTo(present.resource, micros());
            Resource next = step.next();
            documents.put(
                    name,
                    new Document(
                            world.chance.between(1, Long.MAX_VALUE - 1),
                            Contents.with(name, present.state, next),
                            next.forgettableFrom(),
                            next));
            List<Documents.Call> calls = new ArrayList<>();
            step.pushes(name).forEach(push -> {
                if (push.id().client() != ClaimId.NOBODY) {
                    calls.add(new Documents.Call(push.id().client(), name));
                }
            });
            ring(calls);
        }
    }

    @Override
    List<Claim> leftovers() {
        List<Claim> left = new ArrayList<>();
        long now = micros();
        documents
                .values()
                .forEach(document -> document.resource.claims().forEach(claim -> {
                    if (claim.deadline() > now) {
                        left.add(claim);
                    }
                }));
        return left;
    }
}
