package io.belay.etcd;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks the members' hosts up for all channels of a client, on threads of gRPC's. jetcd does it on whoever sends or
 * reads: while DNS is slow nothing else would go on there, nor the loss of a lock be told. A host that is not found has
 * the addresses that it had; of several the first one that can be reached is the member's. Thread-safe.
 */
final class MemberAddresses extends NameResolver.Factory {
    private final List<String> members;
    private final HostNames names;
    private final Map<String, List<InetSocketAddress>> known = new ConcurrentHashMap<>();

    /** What knows the addresses of hosts. */
    interface HostNames {
        /** Returns all addresses of a host; it may block. */
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /**
     * Makes it.
     *
     * @param members each as {@code HOST:PORT}
     * @param names has their hosts
     */
    MemberAddresses(List<String> members, HostNames names) {
        this.members = members.stream().distinct().toList();
        this.names = names;
    }

    @Override
    public String getDefaultScheme() {
        return EtcdUrl.TARGETS;
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args args) {
        return new Resolver(
                Objects.requireNonNull(args.getOffloadExecutor(), "executor"), args.getSynchronizationContext());
    }

    /** Looks a member up; returns whether its host was found. */
    private boolean lookUp(String member) {
        int colon = member.lastIndexOf(':');
        String host = member.substring(0, colon);
        int port = Integer.parseInt(member.substring(colon + 1));
        try {
            known.put(
                    member,
                    Stream.of(names.addresses(host))
                            .map(address -> new InetSocketAddress(address, port))
                            .toList());
            return true;
        } catch (UnknownHostException e) {
            known.putIfAbsent(member, List.of(InetSocketAddress.createUnresolved(host, port)));
            return false;
        }
    }

    /** Returns each member's addresses, with the name that a certificate there is to be for. */
    private List<EquivalentAddressGroup> addresses() {
        return known.entrySet().stream()
                .map(member -> new EquivalentAddressGroup(
                        List.<SocketAddress>copyOf(member.getValue()),
                        Attributes.newBuilder()
                                .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, member.getKey())
                                .build()))
                .toList();
    }

    private final class Resolver extends NameResolver {
        private final Executor executor;
        private final SynchronizationContext order;
        /** The members that are being looked up. */
        private final Set<String> underWay = ConcurrentHashMap.newKeySet();

        private volatile @Nullable Listener2 listener;

        Resolver(Executor executor, SynchronizationContext order) {
            this.executor = executor;
            this.order = order;
        }

        @Override
        public String getServiceAuthority() {
            return "";
        }

        @Override
        public void start(Listener2 told) {
            listener = told;
            if (known.size() == members.size()) {
                tell(null);
            }
            refresh();
        }

        /** Has each member looked up by itself: one that hangs in DNS keeps nobody from connecting to the others. */
        @Override
        public void refresh() {
            for (String member : members) {
                if (underWay.add(member)) {
                    try {
                        executor.execute(() -> run(member));
                    } catch (Throwable e) { // the machine has no thread left, and gRPC would give the channel up
                        underWay.remove(member);
                        tell(e);
                    }
                }
            }
        }

        private void run(String member) {
            boolean found = false;
            Throwable failure = null;
            try {
                found = lookUp(member);
            } catch (Throwable e) {
                failure = e;
            } finally {
                underWay.remove(member);
            }
            if (found || underWay.isEmpty()) {
                tell(failure);
            }
        }

        /** Tells what is known of the members by now, or else why nothing is: gRPC has them looked up again then. */
        private void tell(@Nullable Throwable failure) {
            // Of two at once the one that knows more comes last.
            order.execute(() -> {
                Listener2 told = listener;
                if (told != null && known.isEmpty()) {
                    told.onError(Status.UNAVAILABLE.withCause(failure));
                } else if (told != null) {
                    told.onResult(ResolutionResult.newBuilder()
                            .setAddressesOrError(StatusOr.fromValue(addresses()))
                            .build());
                }
            });
        }

        @Override
        public void shutdown() {}
    }
}
