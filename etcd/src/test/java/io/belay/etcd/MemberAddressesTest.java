package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How the addresses of members are found, and by whom. */
class MemberAddressesTest {
    private final Queue<Runnable> offloaded = new ArrayDeque<>();
    private final List<Set<SocketAddress>> told = new ArrayList<>();
    private int failures;
    private int threads = 1;

    /** The keeper of all deadlines is among those who ask. */
    @Test
    void whoAsksDoesNotWaitForTheLookUp() {
        EtcdUrl url = EtcdUrl.parse("etcd://one:1");
        CompletableFuture<Boolean> found = new CompletableFuture<>();
        AtomicInteger lookUps = new AtomicInteger();
        MemberAddresses members = new MemberAddresses(url.addresses(), host -> {
            lookUps.incrementAndGet();
            found.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
            throw new UnknownHostException(host);
        });
        ManagedChannel channel =
                EtcdStoreProvider.channel(Client.builder().target(EtcdUrl.target(url.addresses())), url, members);
        try {
            CompletableFuture<Status> ended = ask(channel);
            await().until(() -> lookUps.get() == 1);
            channel.resetConnectBackoff();
            assertThat(ended).isNotDone();
            found.complete(true);
            assertThat(ended).succeedsWithin(Pace.patience()).matches(status -> !status.isOk());
        } finally {
            channel.shutdownNow();
        }
    }

    /** Its first answer would be waited for in vain. */
    @Test
    @Tag("consensus")
    void aClientConnectsWhileTheFirstHostHangs() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        CompletableFuture<InetAddress[]> hangs = new CompletableFuture<>();
        try (EtcdServer etcd = EtcdServer.start()) {
            EtcdUrl url = EtcdUrl.parse("etcd://old:1,127.0.0.1:" + etcd.port());
            MemberAddresses members = new MemberAddresses(
                    url.addresses(), host -> host.equals("old") ? hangs.join() : InetAddress.getAllByName(host));
            ManagedChannel channel =
                    EtcdStoreProvider.channel(Client.builder().target(EtcdUrl.target(url.addresses())), url, members);
            try {
                await().until(() -> channel.getState(true) == ConnectivityState.READY);
            } finally {
                channel.shutdownNow();
            }
        } finally {
            hangs.cancel(true);
        }
    }

    /** As those of a name, of which one is a member that is down. Nobody listens at the first. */
    @Test
    void allAddressesOfANameAreTried() throws Exception {
        InetAddress up = InetAddress.getByName("127.0.0.1");
        try (ServerSocket listener = new ServerSocket(0, 1, up)) {
            listener.setSoTimeout((int) Pace.patience().toMillis());
            EtcdUrl url = EtcdUrl.parse("etcd://one:" + listener.getLocalPort());
            MemberAddresses members = new MemberAddresses(
                    url.addresses(), host -> new InetAddress[] {InetAddress.getByName("127.0.0.2"), up});
            ManagedChannel channel =
                    EtcdStoreProvider.channel(Client.builder().target(EtcdUrl.target(url.addresses())), url, members);
            try {
                channel.getState(true);
                listener.accept().close();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static InetAddress[] addresses(String host, @Nullable String address) throws UnknownHostException {
        if (address == null) {
            throw new UnknownHostException(host);
        }
        return InetAddress.getAllByName(address);
    }

    private static CompletableFuture<Status> ask(ManagedChannel channel) {
        CompletableFuture<Status> ended = new CompletableFuture<>();
        ClientCall<RangeRequest, RangeResponse> call = channel.newCall(KVGrpc.getRangeMethod(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.complete(status);
                    }
                },
                new Metadata());
        return ended;
    }

    private NameResolver begin(MemberAddresses members) {
        NameResolver.ServiceConfigParser none = new NameResolver.ServiceConfigParser() {
            @Override
            public NameResolver.ConfigOrError parseServiceConfig(Map<String, ?> config) {
                return NameResolver.ConfigOrError.fromConfig(config);
            }
        };
        NameResolver resolver = members.newNameResolver(
                URI.create("ip:///any"),
                NameResolver.Args.newBuilder()
                        .setDefaultPort(1)
                        .setProxyDetector(address -> null)
                        .setSynchronizationContext(new SynchronizationContext((thread, e) -> {}))
                        .setServiceConfigParser(none)
                        .setOffloadExecutor(task -> {
                            if (threads == 0) {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                            offloaded.add(task);
                        })
                        .build());
        resolver.start(new NameResolver.Listener2() {
            @Override
            public void onResult(NameResolver.ResolutionResult result) {
                told.add(result.getAddressesOrError().getValue().stream()
                        .map(EquivalentAddressGroup::getAddresses)
                        .flatMap(List::stream)
                        .collect(Collectors.toSet()));
            }

            @Override
            public void onError(Status error) {
                failures++;
            }
        });
        return resolver;
    }

    private void lookUp() {
        while (!offloaded.isEmpty()) {
            offloaded.remove().run();
        }
    }

    /** While DNS is away the members that are connected stay so, and another channel finds them. */
    @Test
    void aHostThatIsNotFoundHasTheAddressThatItHad() {
        Map<String, String> names = new ConcurrentHashMap<>(Map.of("one", "10.0.0.1", "two", "10.0.0.2"));
        MemberAddresses members =
                new MemberAddresses(List.of("one:1", "two:2", "one:1"), host -> addresses(host, names.get(host)));
        NameResolver resolver = begin(members);
        assertThat(told).isEmpty();
        lookUp();
        SocketAddress one = new InetSocketAddress("10.0.0.1", 1);
        SocketAddress two = new InetSocketAddress("10.0.0.2", 2);
        assertThat(told).last().isEqualTo(Set.of(one, two));
        told.clear();
        names.clear();
        resolver.refresh();
        resolver.refresh();
        assertThat(offloaded).as("each host once at a time").hasSize(2);
        lookUp();
        assertThat(told).hasSize(1).last().isEqualTo(Set.of(one, two));
        begin(members);
        assertThat(told).hasSize(2).last().isEqualTo(Set.of(one, two));
        names.put("one", "10.0.0.3");
        lookUp();
        assertThat(told).last().isEqualTo(Set.of(new InetSocketAddress("10.0.0.3", 1), two));
    }

    /** Its zone does not answer, and it is the first in the URL. */
    @Test
    void aHostThatHangsKeepsNobodyFromConnectingToTheOthers() {
        MemberAddresses members = new MemberAddresses(
                List.of("one:1", "two:2", "three:3"), host -> addresses(host, host.equals("two") ? null : "10.0.0.1"));
        NameResolver resolver = begin(members);
        Runnable hangs = offloaded.remove();
        offloaded.remove().run();
        assertThat(told).as("what was not found, before all others are").isEmpty();
        offloaded.remove().run();
        SocketAddress two = InetSocketAddress.createUnresolved("two", 2);
        SocketAddress three = new InetSocketAddress("10.0.0.1", 3);
        assertThat(told).containsExactly(Set.of(two, three));
        resolver.refresh();
        assertThat(offloaded).as("all but that one").hasSize(2);
        hangs.run();
        assertThat(told).last().isEqualTo(Set.of(new InetSocketAddress("10.0.0.1", 1), two, three));
        assertThat(failures).isZero();
    }

    /** Whatever leaves a resolver makes gRPC give the channel up for good. */
    @Test
    void hostsAreLookedUpAgainWhereThatHasFailed() {
        threads = 0;
        AtomicInteger lookUps = new AtomicInteger();
        NameResolver resolver = begin(new MemberAddresses(List.of("one:1"), host -> {
            if (lookUps.incrementAndGet() == 1) {
                throw new SecurityException("thrown by the test");
            }
            return addresses(host, "10.0.0.1");
        }));
        assertThat(failures).isEqualTo(1);
        threads = 1;
        resolver.refresh();
        offloaded.remove().run();
        assertThat(failures).isEqualTo(2);
        resolver.refresh();
        offloaded.remove().run();
        assertThat(told).last().isEqualTo(Set.of(new InetSocketAddress("10.0.0.1", 1)));
    }
}
