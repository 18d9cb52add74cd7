package io.belay.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The arguments of EVALSHA or EVAL, written as a whole: Lettuce's own arguments are an object each, and the buffer
 * grows with them step by step.
 */
final class ScriptArguments extends CommandArgs<byte[], byte[]> {
    /** The bytes around those of an argument: a dollar, up to ten digits, two ends of line. */
    private static final int FRAME = 15;

    private final byte[] script;
    private final byte[][] keys;
    private final byte[][] arguments;

    ScriptArguments(byte[] script, byte[][] keys, byte[][] arguments) {
        super(ByteArrayCodec.INSTANCE);
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
    }

    @Override
    public int count() {
        return 2 + keys.length + arguments.length;
    }

    @Override
    public void encode(ByteBuf buffer) {
        byte[] out = new byte[2 * FRAME + script.length + FRAME + size(keys) + size(arguments)];
        int at = write(out, 0, script);
        at = write(out, at, Integer.toString(keys.length).getBytes(StandardCharsets.US_ASCII));
        at = write(out, at, keys);
        buffer.writeBytes(out, 0, write(out, at, arguments));
    }

    private static int size(byte[][] all) {
        int size = 0;
        for (byte[] one : all) {
            size += FRAME + one.length;
        }
        return size;
    }

    private static int write(byte[] out, int begin, byte[][] all) {
        int at = begin;
        for (byte[] one : all) {
            at = write(out, at, one);
        }
        return at;
    }

    private static int write(byte[] out, int begin, byte[] one) {
        int at = begin;
        out[at++] = '$';
        int unit = 1;
        while (one.length / unit > 9) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            out[at++] = (byte) ('0' + one.length / unit % 10);
        }
        at = endLine(out, at);
        System.arraycopy(one, 0, out, at, one.length);
        return endLine(out, at + one.length);
    }

    private static int endLine(byte[] out, int at) {
        out[at] = '\r';
        out[at + 1] = '\n';
        return at + 2;
    }
}
