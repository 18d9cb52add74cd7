package io.belay.redis;

import io.belay.support.Log;
import io.belay.support.LogName;
import io.lettuce.core.protocol.CommandHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;

/**
 * Ends a connection with the first thing that is thrown while it is read, as for want of memory, and with an {@code Error} while a
 * command is written. Lettuce takes the oldest command for failed, whatever it was that failed, or has one in its queue that
 * was never sent, and goes on: it would take each reply behind it for that of another command.
 */
final class ReaderWatch extends ChannelInboundHandlerAdapter {
    private static final Log LOG = Log.of(LogName.STORE);

    private final ChannelHandlerContext reader;
    private boolean failed;

    private ReaderWatch(ChannelHandlerContext reader) {
        this.reader = reader;
    }

    /** Watches what reads on a connection that is set up. */
    static void watch(Channel channel) {
        ChannelHandlerContext reader = channel.pipeline().context(CommandHandler.class);
        channel.pipeline().addBefore(reader.name(), null, new ReaderWatch(reader));
        channel.pipeline().addAfter(reader.name(), null, new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ctx.write(message, promise);
                if (promise.cause() instanceof Error error) {
                    end(ctx, error);
                }
            }
        });
    }

    private static void end(ChannelHandlerContext ctx, Throwable error) {
        ctx.close();
        if (error instanceof Error) {
            LOG.warn(
                    "Redis at {} is left, and connected to again", ctx.channel().remoteAddress(), error);
        }
    }

    /** Calls Lettuce itself: what is thrown there Netty would tell to Lettuce alone. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (failed) { // with TLS there may be more of what was received together
            ReferenceCountUtil.release(message);
            return;
        }
        try {
            ((ChannelInboundHandler) reader.handler()).channelRead(reader, message);
        } catch (Throwable e) {
            exceptionCaught(ctx, e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable error) {
        failed = true;
        ctx.fireExceptionCaught(error);
        end(ctx, error);
    }
}
