package io.belay.servers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts what a Redis server sends, in whatever pieces it comes, into whole replies and pushes: RESP2 and RESP3, without
 * the streamed types, which no server sends. Not thread-safe.
 */
final class RespFrames implements Frames {
    private static final String TYPES = "+-:$*%~>_#,(=!|";

    private byte[] buffer = new byte[1024];
    /** The number of bytes in the buffer that are filled. */
    private int end;
    /** The index of the next value of the frame that begins at 0. */
    private int next;
    /** The number of values that this frame still lacks. */
    private long missing = 1;

    /** Returns whether a stream that begins with this byte can be RESP at all. TLS, for one, is not. */
    static boolean canBegin(byte first) {
        return TYPES.indexOf(first) >= 0;
    }

    @Override
    public boolean isReply(byte[] frame) {
        return !RespText.isPush(frame) && !RespText.isMessage(frame);
    }

    /** Takes the next bytes of the stream; returns the frames that they complete. */
    @Override
    public List<byte[]> split(byte[] bytes, int length) throws IOException {
        if (buffer.length - end < length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, end + length));
        }
        System.arraycopy(bytes, 0, buffer, end, length);
        end += length;

        List<byte[]> frames = new ArrayList<>();
        while (skipValue()) {
            if (missing == 0) {
                frames.add(Arrays.copyOf(buffer, next));
                System.arraycopy(buffer, next, buffer, 0, end - next);
                end -= next;
                next = 0;
                missing = 1;
            }
        }
        return frames;
    }

    /** Skips a value, or the head of an aggregate, if all of it is here. */
    private boolean skipValue() throws IOException {
        int line = lineEnd(buffer, next, end);
        if (line < 0) {
            return false;
        }
        int after = line + 2;
        switch (buffer[next]) {
            case '+', '-', ':', '_', '#', ',', '(' -> missing--;
            case '$', '=', '!' -> {
                long size = number(line);
                if (size >= 0) {
                    if (size > Integer.MAX_VALUE - after - 2) {
                        throw new IOException("not RESP: " + size + " bytes in a string");
                    }
                    after += (int) size + 2;
                }
                if (after > end) {
                    return false;
                }
                missing--;
            }
            case '*', '~', '>' -> missing += Math.max(0, number(line)) - 1;
            case '%' -> missing += 2 * Math.max(0, number(line)) - 1;
            // Attributes stand before the value they belong to and are none themselves.
            case '|' -> missing += 2 * Math.max(0, number(line));
            default -> throw new IOException("not RESP: a value that begins with byte " + buffer[next]);
        }
        next = after;
        return true;
    }

    private long number(int line) throws IOException {
        String digits = new String(buffer, next + 1, line - next - 1, ISO_8859_1);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IOException("not RESP: a length of '" + digits + "'", e);
        }
    }

    /** Returns the index of the CR LF of the line that begins at a position; -1 if that has not come yet. */
    static int lineEnd(byte[] bytes, int from, int end) {
        for (int at = from; at + 1 < end; at++) {
            if (bytes[at] == '\r' && bytes[at + 1] == '\n') {
                return at;
            }
        }
        return -1;
    }
}
