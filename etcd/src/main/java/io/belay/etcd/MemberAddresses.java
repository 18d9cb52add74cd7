package io.belay.etcd;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks the members' hosts up for all channels of a client, on threads of gRPC's. jetcd does it on whoever sends or
 * reads: while DNS is slow nothing else would go on there, nor the loss of a lock be told. A host that is not found has
 * the address that it had. Thread-safe.
 */
final class MemberAddresses extends NameResolver.Factory {
    private final List<String> members;
    private final BiFunction<String, Integer, InetSocketAddress> lookUp;
    private final Map<String, InetSocketAddress> known = new ConcurrentHashMap<>();

    /**
     * Makes it.
     *
     * @param members each as {@code HOST:PORT}
     * @param lookUp finds a host, or returns an address that is unresolved; it may block
     */
    MemberAddresses(List<String> members, BiFunction<String, Integer, InetSocketAddress> lookUp) {
        this.members = members.stream().distinct().toList();
        this.lookUp = lookUp;
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
        InetSocketAddress found =
                lookUp.apply(member.substring(0, colon), Integer.parseInt(member.substring(colon + 1)));
        known.merge(member, found, (before, now) -> now.isUnresolved() ? before : now);
        return !found.isUnresolved();
    }

    /** Returns the addresses, each with the name that a certificate there is to be for. */
    private List<EquivalentAddressGroup> addresses() {
        return known.entrySet().stream()
                .map(member -> new EquivalentAddressGroup(
                        member.getValue(),
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
