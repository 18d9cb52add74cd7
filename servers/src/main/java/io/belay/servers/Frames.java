package io.belay.servers;

import java.io.IOException;
import java.util.List;

/** The splitting of a server's bytes into what it says at a time. Each connection has its own. */
interface Frames {
    /** Takes the next bytes of the stream; returns the frames that are complete now. */
    List<byte[]> split(byte[] bytes, int length) throws IOException;

    /** Returns whether a frame answers a request. The caller asks once for each frame, in their order. */
    boolean isReply(byte[] frame);
}
