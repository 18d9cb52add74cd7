package io.belay.servers;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits what a ZooKeeper server sends into its frames: each begins with its length, and a number for what it is. */
final class ZooKeeperFrames implements Frames {
    private static final int WATCH_EVENT = -1;

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private boolean connected;

    @Override
    public List<byte[]> split(byte[] bytes, int length) {
        rest.write(bytes, 0, length);
        byte[] all = rest.toByteArray();
        List<byte[]> frames = new ArrayList<>();
        int at = 0;
        while (all.length - at >= 4 && all.length - at - 4 >= number(all, at)) {
            int end = at + 4 + number(all, at);
            frames.add(Arrays.copyOfRange(all, at, end));
            at = end;
        }
        rest.reset();
        rest.write(all, at, all.length - at);
        return frames;
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
    }

    /** Returns whether a frame says that a watch has fired. */
    static boolean isEvent(byte[] frame) {
        return frame.length >= 8 && number(frame, 4) == WATCH_EVENT;
    }

    /** Tells replies by their number: requests count from 1, others are negative, the answer to a connect is 0. */
    @Override
    public boolean isReply(byte[] frame) {
        boolean first = !connected;
        connected = true;
        return !first && frame.length >= 8 && number(frame, 4) > 0;
    }
}
