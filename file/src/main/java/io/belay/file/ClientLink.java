package io.belay.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection to another client. Any thread may send; the wire's thread receives. */
final class ClientLink {
    private static final long SHORT = 1_000_000_000;

    final SocketChannel channel;
    final ByteBuffer in = ByteBuffer.allocate(4 + Frame.MAX);
    private final long since = System.nanoTime();
    private final int shortLived;

    /** The client at the other end; 0 until that client has sent its number. */
    long peer;

    ClientLink(SocketChannel channel, long peer, int shortLived) {
        this.channel = channel;
        this.peer = peer;
        this.shortLived = shortLived;
    }

    /**
     * Sends a frame. The channel does not block, and an interrupt does not disturb one that does not block. A full
     * socket loses the frame: a push may be lost.
     *
     * @return false if the connection is of no more use
     */
    boolean send(ByteBuffer frame) {
        try {
            if (channel.write(frame) == 0 || !frame.hasRemaining()) {
                return true;
            }
        } catch (IOException e) {
            FileLog.LOG.debug("a connection has ended: {}", e.toString());
        }
        close();
        return false;
    }

    /** Returns how many connections to this peer in a row ended within a second, if this one ends now. */
    int shortLived() {
        return System.nanoTime() - since < SHORT ? shortLived + 1 : 0;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            FileLog.LOG.debug("could not close a connection: {}", e.toString());
        }
    }
}
