package io.belay.file;

import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import java.nio.ByteBuffer;

/**
 * A message on a socket: a length, a kind and the content. The client that connects sends its number first; all other
 * frames are pushes. A client closes the connection on which it receives a frame that makes no sense.
 */
final class Frame {
    /** The most bytes that a frame may have, the length itself not counted. */
    static final int MAX = 128 + ResourceNames.MAX;

    static final byte HELLO = 1;
    static final byte PUSH = 2;

    private static final int GRANTED = 1;
    private static final int WANTED = 2;
    private static final long GREETING = 0x42454c4159303157L;

    private Frame() {}

    static ByteBuffer hello(long client) {
        return ByteBuffer.allocate(21)
                .putInt(17)
                .put(HELLO)
                .putLong(GREETING)
                .putLong(client)
                .flip();
    }

    /** Returns the client that a hello is from. */
    static long client(ByteBuffer hello) {
        if (hello.remaining() != 16 || hello.getLong() != GREETING) {
            throw new IllegalArgumentException("not a greeting");
        }
        return hello.getLong();
    }

    static ByteBuffer push(Push push) {
        byte[] name = ResourceNames.bytes(push.resource());
        int length = 1 + 5 * 8 + 1 + name.length;
        return ByteBuffer.allocate(4 + length)
                .putInt(length)
                .put(PUSH)
                .putLong(push.id().client())
                .putLong(push.id().number())
                .putLong(push.sequence())
                .put((byte) ((push.granted() ? GRANTED : 0) | (push.wanted() ? WANTED : 0)))
                .putLong(push.time())
                .putLong(push.deadline())
                .put(name)
                .flip();
    }

    static Push push(ByteBuffer in) {
        if (in.remaining() < 5 * 8 + 1) {
            throw new IllegalArgumentException("not a push");
        }
        ClaimId id = ClaimId.of(in.getLong(), in.getLong());
        long sequence = in.getLong();
        byte flags = in.get();
        long time = in.getLong();
        long deadline = in.getLong();
        byte[] name = new byte[in.remaining()];
        in.get(name);
        boolean granted = (flags & GRANTED) != 0;
        boolean wanted = (flags & WANTED) != 0;
        return Push.of(ResourceNames.string(name, 0, name.length), id, sequence, granted, time, deadline)
                .withWanted(wanted);
    }
}
