package io.belay.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.UUID;

/**
 * Lets a server run a request twice, of which its client does not learn. The request that is sent once more stands
 * between two echoes of a word that nobody else says; so the replies to it are known, whatever other replies and
 * pushes are on the way.
 */
final class Doubling {
    private final byte[] mark;
    private final byte[] echo;
    /** True between the replies to the two echoes. Only the thread that reads replies uses it. */
    private boolean between;

    Doubling() {
        String word = UUID.randomUUID().toString();
        mark = ("$" + word.length() + "\r\n" + word + "\r\n").getBytes(UTF_8);
        echo = RespText.command("ECHO", word);
    }

    /** Returns the bytes to send behind a request, so that the server runs it once more. */
    byte[] again(byte[] request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(echo);
        bytes.writeBytes(request);
        bytes.writeBytes(echo);
        return bytes.toByteArray();
    }

    /** Returns whether this frame of the server answers what the client has not asked. */
    boolean swallows(byte[] frame) {
        if (Arrays.equals(frame, mark)) {
            between = !between;
            return true;
        }
        return between && !RespText.isPush(frame) && !RespText.isMessage(frame);
    }
}
