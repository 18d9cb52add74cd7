package io.belay.redis;

import io.belay.spi.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reply of a cluster's node that has run nothing, and names another one to ask. It never reaches a user. */
final class Redirect extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final Pattern REPLY = Pattern.compile("(MOVED|ASK) (\\d{1,5}) (\\S*):(\\d{1,5})(,.*)?");

    private final transient Address to;
    private final boolean moved;

    private Redirect(Address to, boolean moved) {
        super(null, null, false, false);
        this.to = to;
        this.moved = moved;
    }

    /**
     * Reads an error that a node replied.
     *
     * @param asked the node that replied, which leaves out its host's name where it does not know it
     * @return null if it is another error, or names a host that the node does not know itself
     */
    static @Nullable Redirect of(String error, Address asked) {
        Matcher matcher = REPLY.matcher(error);
        if (!matcher.matches()) {
            return null;
        }
        String host = matcher.group(3);
        Address to = Address.of(host.isEmpty() ? asked.host() : host, matcher.group(4));
        return to == null ? null : new Redirect(to, matcher.group(1).equals("MOVED"));
    }

    Address to() {
        return to;
    }

    /** Returns whether the slot has moved there for good; else the key is there already, and its slot will follow. */
    boolean isMoved() {
        return moved;
    }

    StoreException asFailure() {
        return StoreException.unreachable("The cluster sends from node to node: its slots are moving", this);
    }
}
