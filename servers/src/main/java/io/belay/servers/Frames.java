package io.belay.servers;

import java.io.IOException;
import java.util.List;

/** How a server's bytes are split into what it says at a time. For one connection. */
interface Frames {
    /** The frames that are complete now. */
    List<byte[]> split(byte[] bytes, int length) throws IOException;

    /** Whether a frame answers a request; called once for each frame, in their order. */
    boolean isReply(byte[] frame);
}
