package io.belay.etcd;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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

    /** Returns the members that were asked so long ago, and of which nothing came since. */
    Set<SocketAddress> silent(long nanos) {
        Set<SocketAddress> silent = new HashSet<>();
        peers.forEach((address, peer) -> {
            if (peer.isSilent(nanos)) {
                silent.add(address);
            }
        });
        return silent;
    }

    /** Fails the calls to some members. */
    void fail(Set<SocketAddress> members) {
        peers.forEach((address, peer) -> {
            if (members.contains(address)) {
                Set.copyOf(peer.calls).forEach(PeerCall::fail);
            }
        });
    }
}
