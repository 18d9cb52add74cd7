package io.belay.servers;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between the members of a cluster: a member can be cut off from the others silently, in one direction or
 * in both, while its clients still reach it. Connections stay, and what was said meanwhile arrives late. Thread-safe.
 *
 * <p>Who speaks to whom is told by names; a member may have several, such as its number and its ports.
 */
public final class Peers implements AutoCloseable {
    private final Set<ServerSocket> listeners = ConcurrentHashMap.newKeySet();
    private final Set<PeerLink> links = ConcurrentHashMap.newKeySet();

    // These two under this object's lock.
    private final Set<String> mute = new HashSet<>();
    private final Set<String> deaf = new HashSet<>();

    /** Cuts off what these names say, what they hear, or both, until {@link #heal}. */
    public synchronized void cutOff(Set<String> names, boolean says, boolean hears) {
        if (says) {
            mute.addAll(names);
        }
        if (hears) {
            deaf.addAll(names);
        }
    }

    /** Lets through again all that these names say and hear. */
    public synchronized void heal(Set<String> names) {
        mute.removeAll(names);
        deaf.removeAll(names);
        notifyAll();
    }

    /** Waits until what the one says may reach the other. */
    synchronized void awaitPassage(String from, String to) throws InterruptedException {
        while (mute.contains(from) || deaf.contains(to)) {
            wait();
        }
    }

    /** A port for all that one member says to whichever others: it is a proxy that speaks SOCKS. */
    int from(String member) throws IOException {
        return listen(socket -> new PeerLink(this, socket, member));
    }

    /** A port for all that others say to a port of one member: as HTTP, in whose first lines they say who they are. */
    int to(int port) throws IOException {
        return listen(socket -> new PeerLink(this, socket, port));
    }

    private interface Opening {
        PeerLink of(Socket socket);
    }

    private int listen(Opening opening) throws IOException {
        ServerSocket listener = Ports.listen();
        listeners.add(listener);
        Sockets.daemon("belay-peers-" + listener.getLocalPort(), () -> {
                    while (true) {
                        PeerLink link = opening.of(listener.accept());
                        links.add(link);
                        link.start();
                    }
                })
                .start();
        return listener.getLocalPort();
    }

    void ended(PeerLink link) {
        links.remove(link);
    }

    /** Ends all connections, and takes no more. */
    @Override
    public void close() {
        listeners.forEach(Sockets::close);
        links.forEach(PeerLink::close);
    }
}
