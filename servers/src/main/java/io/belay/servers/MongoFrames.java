package io.belay.servers;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits what a MongoDB server sends into its messages, each of which begins with its length. */
final class MongoFrames implements Frames {
    /** A field in the answer of a cursor that was asked for more, as one of a change stream is all the time. */
    private static final String MORE = "nextBatch";

    /** A field in the answer to what a driver asks by itself, to see who is there. */
    private static final String GREETING = "maxWireVersion";

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

    @Override
    public List<byte[]> split(byte[] bytes, int length) {
        rest.write(bytes, 0, length);
        byte[] all = rest.toByteArray();
        List<byte[]> frames = new ArrayList<>();
        int at = 0;
        while (all.length - at >= 4 && all.length - at >= length(all, at)) {
            int end = at + length(all, at);
            frames.add(Arrays.copyOfRange(all, at, end));
            at = end;
        }
        rest.reset();
        rest.write(all, at, all.length - at);
        return frames;
    }

    private static int length(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    }

    static boolean isMore(byte[] frame) {
        return has(frame, MORE);
    }

    @Override
    public boolean isReply(byte[] frame) {
        return !isMore(frame) && !has(frame, GREETING);
    }

    private static boolean has(byte[] frame, String name) {
        return new String(frame, StandardCharsets.ISO_8859_1).contains(name);
    }
}
