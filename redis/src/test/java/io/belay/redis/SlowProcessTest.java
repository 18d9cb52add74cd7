package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.servers.RedisServer;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A busy machine that takes its time to load a process's code is not the server's fault. */
@Tag("processes")
@Tag("long")
class SlowProcessTest {
    /** What Redis needs no part of, busy as the machine may be. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Set<String> slow = ConcurrentHashMap.newKeySet();

    /** Takes longer than the server may, the first time. */
    private void load(String what) {
        if (slow.add(what)) {
            try {
                Thread.sleep(TIMEOUT.plusMillis(500).toMillis());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void connects() throws Exception {
        ClientResources resources = DefaultClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        load("what is needed before anything is sent");
                        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                load("what reads replies");
                                ctx.fireChannelRead(message);
                            }
                        });
                    }
                })
                .build();
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            // By two connections, of which the first waits for the other.
            Redis redis = Redis.at(server.url() + "?protocol=resp2&timeout=" + TIMEOUT.toMillis() + "ms");
            Belay.connect(redis.withResources(resources), BelayOptions.defaults())
                    .close();
        } finally {
            resources.shutdown().get();
        }
        assertThat(slow).hasSize(2);
    }
}
