package io.belay.redis;

import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends commands that come close together in one system call. Lettuce flushes after each, which takes longer than all
 * else that is done for it, at the server as well; a command that comes alone is sent as soon as ever.
 */
final class Batching implements NettyCustomizer {
    /** The most commands in one flush, so that the server begins with the first ones while there are more. */
    private static final int MOST = 64;

    /** The most threads of each kind, which are all started at once. */
    static final int MOST_THREADS = 4;

    private final NettyCustomizer others;

    private Batching(NettyCustomizer others) {
        this.others = others;
    }

    /** Makes new threads and timers. */
    static ClientResources resources() {
        return DefaultClientResources.builder()
                .addressResolverGroup(new Resolvers())
                .nettyCustomizer(new Batching(new NettyCustomizer() {}))
                .ioThreadPoolSize(Math.min(MOST_THREADS, DefaultClientResources.DEFAULT_IO_THREADS))
                .computationThreadPoolSize(Math.min(MOST_THREADS, DefaultClientResources.DEFAULT_COMPUTATION_THREADS))
                .build();
    }

    /** Wraps the application's threads and timers, which the shutdown of the result leaves as they are. */
    static ClientResources over(ClientResources lent) {
        return DefaultClientResources.builder()
                .addressResolverGroup(lent.addressResolverGroup())
                .commandLatencyRecorder(lent.commandLatencyRecorder())
                .commandLatencyPublisherOptions(
                        DefaultEventPublisherOptions.disabled()) // the application's own does it
                .eventBus(lent.eventBus())
                .eventExecutorGroup(lent.eventExecutorGroup())
                .eventLoopGroupProvider(lent.eventLoopGroupProvider())
                .reconnectDelay(lent::reconnectDelay)
                .socketAddressResolver(lent.socketAddressResolver())
                .timer(lent.timer())
                .tracing(lent.tracing())
                .nettyCustomizer(new Batching(lent.nettyCustomizer()))
                .build();
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        others.afterBootstrapInitialized(bootstrap);
        Silence.prepare(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        others.afterChannelInitialized(channel);
        channel.pipeline().addFirst(new FlushConsolidationHandler(MOST, true));
        Silence.watch(channel);
        ReaderWatch.watch(channel);
    }
}
