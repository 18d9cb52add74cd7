package io.belay.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DefaultDnsCnameCache;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;

/**
 * Looks up the names of hosts on the threads of Belay's clients, and ends with those. Lettuce's own resolver serves
 * the whole process, and when threads end, the sockets stay that it has opened for them.
 */
final class Resolvers extends DnsAddressResolverGroup {
    Resolvers() {
        super(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .cnameCache(new DefaultDnsCnameCache())
                .resolveCache(new DefaultDnsCache()));
    }

    /** Closes the sockets, to be called while the threads still run. What was lent stays open. */
    static void close(ClientResources resources) {
        if (resources.addressResolverGroup() instanceof Resolvers own) {
            own.close();
        }
    }
}
