package io.belay.zookeeper;

import io.belay.node.Layout;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The node that says in which layout the claims are. A client looks at it in each session and after each reconnection,
 * before it reads or changes anything, and makes it before its first claim if it is missing. Thread-safe.
 */
final class LayoutNode {
    private final Settings settings;
    private final Failures failures;
    private final Directories directories;
    private final String path;

    /** The session in which the node was found to say this layout; null again when the connection breaks. */
    private volatile @Nullable Session known;

    LayoutNode(Settings settings, Failures failures, Directories directories) {
        this.settings = settings;
        this.failures = failures;
        this.directories = directories;
        path = NodeNames.layout(settings.root());
    }

    /** Forgets what was found: the next caller who needs the node reads it again. */
    void forget() {
        known = null;
    }

    /** Fails if the node says another layout; it need not be there. */
    CompletionStage<Void> check(Session session) {
        return known == session ? directories.nothing() : look(session).thenAccept(found -> {});
    }

    /** Does the same, and makes the node if it is not there. */
    CompletionStage<Void> make(Session session) {
        return known == session
                ? directories.nothing()
                : look(session).thenCompose(found -> found ? directories.nothing() : create(session));
    }

    /**
     * Reads the node. Returns whether it is there.
     *
     * @throws StoreException by the stage, if it says another layout
     */
    private CompletableFuture<Boolean> look(Session session) {
        return Reading.present(session.read(path)).thenApply(found -> {
            Optional<String> why =
                    found.flatMap(content -> Layout.refusal(content.data(), "its node " + path, "another path"));
            if (why.isPresent()) {
                throw failures.unusable(why.get());
            }
            found.ifPresent(ours -> known = session);
            return found.isPresent();
        });
    }

    private CompletionStage<Void> create(Session session) {
        return session.create(path, Layout.marker(), acl(), CreateMode.PERSISTENT)
                .handle((made, error) -> {
                    if (error == null) {
                        known = session;
                        return directories.nothing();
                    } else if (Failures.is(error, Code.NODEEXISTS)) {
                        return check(session); // somebody else was first
                    } else if (Failures.is(error, Code.NONODE)) {
                        return directories.makeRoot(session).thenCompose(done -> make(session));
                    }
                    return CompletableFuture.<Void>failedStage(new CompletionException(Failures.unwrap(error)));
                })
                .thenCompose(Function.identity());
    }

    /** Returns the rights to the node: everybody may read it, also those who may not look at this user's locks. */
    private List<ACL> acl() {
        List<ACL> acl = new ArrayList<>(settings.acl());
        acl.add(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
        return acl;
    }
}
