package io.belay.etcd;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The members at the other end of a channel: when each was asked, and whether it was heard of since. Thread-safe. */
final class Peers {
    private final ManagedChannel channel;
    private final Runnable watch;
    private final Consumer<PeerCall<?, ?>> waits;
    private final Map<SocketAddress, Peer> peers = new ConcurrentHashMap<>();

    /**
     * Makes the peers of a channel.
     *
     * @param watch is run when a member is asked of which all that was asked before has come to something
     * @param waits is told of a call that begins to wait for a connection, and is of no use if that takes long
     */
    Peers(ManagedChannel channel, Runnable watch, Consumer<PeerCall<?, ?>> waits) {
        this.channel = channel;
        this.watch = watch;
        this.waits = waits;
    }

    ManagedChannel channel() {
        return channel;
    }

    /** One member. */
    static final class Peer {
        /** When it was first asked since it was last heard of, as a {@link System#nanoTime()}; 0 if it was not. */
        private final AtomicLong asked = new AtomicLong();

        private final Set<PeerCall<?, ?>> calls = ConcurrentHashMap.newKeySet();

        boolean asked(PeerCall<?, ?> call) {
            calls.add(call);
            return asked.compareAndSet(0, System.nanoTime() | 1);
        }

        void heard() {
            if (asked.get() != 0) {
                asked.set(0);
            }
        }

        void ended(PeerCall<?, ?> call) {
            calls.remove(call);
        }

        private boolean isSilent(long nanos) {
            long since = asked.get();
            return since != 0 && System.nanoTime() - since >= nanos;
        }
    }

    /** Notes that a call was sent, and returns the member; null as long as it waits for a connection. */
    @Nullable
    Peer asked(PeerCall<?, ?> call) {
        SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        if (address == null) {
            return null;
        }
        Peer peer = peers.computeIfAbsent(address, member -> new Peer());
        if (peer.asked(call)) {
            watch.run();
        }
        return peer;
    }

    /** Notes that a call waits for a connection. */
    void waits(PeerCall<?, ?> call) {
        waits.accept(call);
    }

    /** Returns whether a member was asked so long ago, and nothing came from it since. */
    boolean isAnySilent(long nanos) {
        for (Peer peer : peers.values()) {
            if (peer.isSilent(nanos)) {
                return true;
            }
        }
        return false;
    }

    /** Fails the calls to the members that are silent, and returns their addresses. */
    Set<String> failSilent(long nanos) {
        Set<String> silent = new TreeSet<>();
        peers.forEach((address, peer) -> {
            if (peer.isSilent(nanos)) {
                silent.add(address.toString());
                Set.copyOf(peer.calls).forEach(PeerCall::fail);
            }
        });
        return silent;
    }
}
