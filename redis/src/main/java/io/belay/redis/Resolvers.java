package io.belay.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.DefaultHostsFileEntriesResolver;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.resolver.NameResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DefaultDnsCnameCache;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;

/**
 * Looks up the names of hosts on the threads of Belay's clients, and ends with those. Lettuce's own resolver serves
 * the whole process, and when threads end, the sockets stay that it has opened for them.
 *
 * <p>A server may move, and is to be found again: an answer is kept for seconds, whatever it says itself, and the file of hosts is
 * read each time. Of several addresses the first one counts that was not tried in vain, or else the one that was so longest ago.
 */
final class Resolvers extends DnsAddressResolverGroup {
    /** The longest time for which an answer is kept, so that clients which connect again together ask once. */
    private static final int KEPT_SECONDS = 2;

    Resolvers() {
        this(DnsServerAddressStreamProviders.platformDefault());
    }

    Resolvers(DnsServerAddressStreamProvider servers) {
        super(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .nameServerProvider(servers)
                .hostsFileEntriesResolver((host, types) -> null)
                .cnameCache(new DefaultDnsCnameCache(0, KEPT_SECONDS))
                .resolveCache(new DefaultDnsCache(0, KEPT_SECONDS, 0)));
    }

    /** Closes the sockets, to be called while the threads still run. What was lent stays open. */
    static void close(ClientResources resources) {
        if (resources.addressResolverGroup() instanceof Resolvers own) {
            own.close();
        }
    }

    @Override
    protected AddressResolver<InetSocketAddress> newAddressResolver(EventLoop loop, NameResolver<InetAddress> names) {
        return new InetSocketAddressResolver(loop, new Hosts(loop, names));
    }

    private static final class Hosts extends InetNameResolver {
        private final NameResolver<InetAddress> names;

        Hosts(EventExecutor loop, NameResolver<InetAddress> names) {
            super(loop);
            this.names = names;
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            resolveAll(host).addListener((Future<List<InetAddress>> all) -> {
                if (all.isSuccess()) {
                    promise.trySuccess(all.getNow().stream()
                            .min(Comparator.comparingLong(DeadAddresses::lastTry))
                            .orElseThrow());
                } else {
                    promise.tryFailure(all.cause());
                }
            });
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            List<InetAddress> listed = new DefaultHostsFileEntriesResolver().addresses(host, types());
            if (listed == null) {
                names.resolveAll(host, promise);
            } else {
                promise.trySuccess(listed);
            }
        }

        private static ResolvedAddressTypes types() {
            return NetUtil.isIpV4StackPreferred()
                    ? ResolvedAddressTypes.IPV4_ONLY
                    : NetUtil.isIpV6AddressesPreferred()
                            ? ResolvedAddressTypes.IPV6_PREFERRED
                            : ResolvedAddressTypes.IPV4_PREFERRED;
        }

        @Override
        public void close() {
            names.close();
        }
    }
}
