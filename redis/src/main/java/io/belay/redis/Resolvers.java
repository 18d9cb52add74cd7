package io.belay.redis;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Transports;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DefaultDnsCnameCache;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;

/**
 * Looks up the names of hosts for one client. Lettuce's own does so for all clients of the process, and when one of them
 * ends with its threads, the sockets stay that were opened for those threads.
 */
final class Resolvers extends DnsAddressResolverGroup {
    Resolvers() {
        super(new DnsNameResolverBuilder()
                .datagramChannelType(Transports.datagramChannelClass())
                .socketChannelType(Transports.socketChannelClass().asSubclass(SocketChannel.class))
                .cnameCache(new DefaultDnsCnameCache())
                .resolveCache(new DefaultDnsCache()));
    }

    /** Closes the sockets of a client, to be called while its threads still run. What was lent stays open. */
    static void close(ClientResources resources) {
        if (resources.addressResolverGroup() instanceof Resolvers own) {
            own.close();
        }
    }
}
