package io.belay.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors on the thread that reads replies, as for want of memory: no request is told what another one was answered. */
class ErrorTest {
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private static final byte[] KEY = "belay:x".getBytes(US_ASCII);

    private RedisServer redis;
    private Store other;

    /** Where the error comes. */
    private enum Stage {
        READING,
        COMPLETING;

        CommandOutput<byte[], byte[], Answer> output() {
            return this == READING
                    ? Outputs.answer(leave("x", 1), 1, untold -> {
                        throw new OutOfMemoryError("made up");
                    })
                    : new CommandOutput<>(ByteArrayCodec.INSTANCE, Answer.of(Answer.State.LEFT, 0)) {
                        @Override
                        public void set(ByteBuffer bytes) {}

                        @Override
                        public Answer get() {
                            throw new OutOfMemoryError("made up");
                        }
                    };
        }
    }

    /** Where reading fails; the replies come behind it. */
    private enum Failure {
        IN_LETTUCE {
            @Override
            void strike(ChannelPipeline pipeline) {
                pipeline.fireChannelRead(new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 1, 1) {
                    @Override
                    public boolean isReadable() {
                        throw new OutOfMemoryError("made up");
                    }
                });
            }
        },
        BEFORE_IT {
            @Override
            void strike(ChannelPipeline pipeline) {
                pipeline.fireExceptionCaught(new OutOfMemoryError("made up"));
            }
        };

        abstract void strike(ChannelPipeline pipeline);
    }

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start(Version.V7_0);
        other = Redis.at(redis.url() + "?timeout=1m").open(2, new RecordingListener());
        other.send(enter("taken", 2, 1)).toCompletableFuture().join();
    }

    @AfterEach
    void end() {
        other.close();
        redis.close();
    }

    private static Request.Enter enter(String name, long client, long number) {
        return Request.Enter.of(name, ClaimId.of(client, number), ClaimSpec.whole(30_000_000), 0, OWNER);
    }

    private static Request.Leave leave(String name, long number) {
        return Request.Leave.of(name, ClaimId.of(1, number), false);
    }

    private static Answer answer(CompletionStage<Answer> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), SECONDS);
    }

    @Test
    void whoeverHearsOfAPushMayFail() throws Exception {
        RecordingListener listener = new RecordingListener() {
            @Override
            public void pushed(Push push) {
                throw new OutOfMemoryError("made up");
            }
        };
        try (Store store = Redis.at(redis.url() + "?timeout=1m").open(1, listener)) {
            answer(store.send(enter("mine", 1, 1)));
            answer(store.send(leave("mine", 1))); // so that the scripts are there
            answer(store.send(enter("mine", 1, 2)));
            answer(store.send(enter("mine", 1, 3)));
            store.send(leave("mine", 2)); // by which the third is granted, and hears of that
            store.send(enter("free", 1, 4));
            CompletableFuture<Answer> taken = store.send(enter("taken", 1, 5)).toCompletableFuture();
            await().until(() -> {
                store.inspect("free"); // by whose answer what has come before is read
                return taken.isDone();
            });
            assertThat(taken.handle((told, failed) ->
                                    failed == null ? told.state().name() : "failed")
                            .join())
                    .isIn("WAITING", "failed");
            await().until(() -> listener.reconnects.get() > 0);
            assertThat(answer(store.send(enter("taken", 1, 6))).state()).isEqualTo(Answer.State.WAITING);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplyMayBeMoreThanTheMemoryTakes(Stage stage) throws Exception {
        String text =
                "return struct.pack('>I8BI8I8I4I4I8I4BI4I8I4', 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) .. 'to publish'";
        redis.command("SCRIPT", "LOAD", text);
        try (Links links = new Links(redis.url())) {
            Link link = links.link();
            inspect(link, "free").get(Pace.seconds(), SECONDS); // so that the script is there
            CompletableFuture<Answer> bad =
                    link.run(Scripts.Script.of(text), new byte[][] {KEY}, new byte[0][], "x", stage.output(), false);
            List<String> names = List.of("taken", "free", "taken");
            List<CompletableFuture<Store.Snapshot>> all =
                    names.stream().map(name -> inspect(link, name)).toList();
            assertThatThrownBy(() -> bad.get(Pace.seconds(), SECONDS)).hasCauseInstanceOf(StoreException.class);
            for (int i = 0; i < names.size(); i++) {
                String told = all.get(i)
                        .handle((found, failed) ->
                                failed != null ? "failed" : found.resource().isPresent() ? "taken" : "free")
                        .get(Pace.seconds(), SECONDS);
                assertThat(told).as("of %s", names.get(i)).isIn(names.get(i), "failed");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCommandThatIsNoScriptMayBeTheOldest(Failure failure) throws Exception {
        try (Links links = new Links(redis.url())) {
            Link link = links.link();
            inspect(link, "free").get(Pace.seconds(), SECONDS); // so that the script is there
            link.awaitReplicas(1, Pace.patience()); // there is none: the server holds up all behind it
            CompletableFuture<Store.Snapshot> taken = inspect(link, "taken");
            Channel channel = links.first.join();
            CommandHandler lettuce = channel.pipeline().get(CommandHandler.class);
            await().until(() -> channel.eventLoop()
                    .submit(() -> lettuce.getStack().size() == 2)
                    .get());
            channel.eventLoop().execute(() -> {
                failure.strike(channel.pipeline());
                channel.pipeline().fireChannelRead(Unpooled.copiedBuffer("$8\r\n" + "\0".repeat(8) + "\r\n", US_ASCII));
            });
            assertThatThrownBy(() -> taken.get(Pace.seconds(), SECONDS)).hasCauseInstanceOf(StoreException.class);
        }
    }

    /** Lettuce has it in its queue by then, and would take the next reply for its own. */
    @Test
    void aConnectionIsLeftOnWhichACommandCouldNotBeWritten() {
        try (Links links = new Links(redis.url())) {
            Channel channel = links.first.join();
            channel.eventLoop()
                    .execute(() -> channel.pipeline()
                            .write(
                                    new AsyncCommand<>(
                                            new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8))),
                                    new DefaultChannelPromise(channel) {
                                        @Override
                                        public ChannelPromise addListener(
                                                GenericFutureListener<? extends Future<? super Void>> listener) {
                                            throw new OutOfMemoryError("made up");
                                        }
                                    }));
            await().until(() -> !channel.isOpen());
        }
    }

    private static CompletableFuture<Store.Snapshot> inspect(Link link, String name) {
        byte[] key = ("belay:" + name).getBytes(US_ASCII);
        return link.run(link.scripts().inspect, new byte[][] {key}, new byte[0][], name, Outputs.snapshot(), false);
    }

    /** A connection as a store makes it, to send what no store sends. */
    private static final class Links implements Link.Listener, AutoCloseable {
        final CompletableFuture<Channel> first = new CompletableFuture<>();
        private final ClientResources resources = DefaultClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        first.complete(channel);
                    }
                })
                .build();
        private final Connector connector;
        private final Link link;

        Links(String url) {
            connector = Redis.at(url + "?timeout=1m").withResources(resources).connector();
            link = connector
                    .connect("belay:" + Wire.hex(1), this, Pace.patience(), false)
                    .join();
        }

        Link link() {
            return link;
        }

        @Override
        public void pushed(Link from, byte[] message) {}

        @Override
        public void broken(Link old) {}

        @Override
        public void close() {
            connector.close();
            resources.shutdown().awaitUninterruptibly();
        }
    }
}
