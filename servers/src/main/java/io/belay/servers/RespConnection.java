package io.belay.servers;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A connection to a server's unix socket, which neither TLS nor a fault of the network gets in the way of. */
final class RespConnection implements Closeable {
    /** The time limit of a {@link #read} that waits however long it takes. */
    static final long FOREVER = 0;

    private final SocketChannel channel;
    // Reading with a timeout: the channels of unix sockets have no other way.
    private final Selector selector;
    private final RespFrames frames = new RespFrames();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(8192);

    private RespConnection(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    static RespConnection open(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new RespConnection(channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Sends a command and returns the values of its reply.
     *
     * @throws IllegalStateException if the reply is an error
     */
    List<String> call(String... words) throws IOException {
        ByteBuffer command = ByteBuffer.wrap(RespText.command(words));
        while (command.hasRemaining()) {
            channel.write(command);
        }
        byte[] reply = read(Pace.patience().toMillis());
        if (RespText.isError(reply)) {
            throw new IllegalStateException(
                    words[0] + ": " + RespText.values(reply).get(0));
        }
        return RespText.values(reply);
    }

    /** Waits for the next frame, for that many milliseconds at most. */
    byte[] read(long millis) throws IOException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (waiting.isEmpty()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (millis != FOREVER && left <= 0) {
                throw new SocketTimeoutException("the server says nothing");
            }
            selector.select(millis == FOREVER ? 0 : left);
            selector.selectedKeys().clear();
            int length = channel.read(buffer.clear());
            if (length < 0) {
                throw new EOFException("the server closed the connection");
            }
            waiting.addAll(frames.split(buffer.array(), length));
        }
        return waiting.remove();
    }

    /** Ends a {@link #read} of another thread, too. */
    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
