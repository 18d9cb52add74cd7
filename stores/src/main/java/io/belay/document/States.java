package io.belay.document;

import io.belay.spi.Resource;
import io.belay.spi.ResourceCodec;
import io.belay.spi.Sink;
import io.belay.spi.StoreException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The content of a document: the format, when somebody last wanted what a sticky claim has, and the resource. */
final class States {
    private static final byte FORMAT = 2;

    /** The format before that, whose resources have no tail: it is read, and never written. */
    private static final byte EARLIER = 1;

    /** Formats count up and stay below this, and no text begins with such a byte. */
    private static final byte FORMATS = 32;

    private static final int HEAD = 1 + Long.BYTES;

    /**
     * A resource, and what its model does not keep.
     *
     * @param wanted when somebody last wanted what a sticky claim has, in the database's time; 0 for never
     */
    record State(Resource resource, long wanted) {
        static final State NONE = new State(Resource.UNUSED, 0);
    }

    private States() {}

    static byte[] encode(State state) {
        Sink out = new Sink();
        out.putByte(FORMAT);
        out.putLong(state.wanted());
        ResourceCodec.encode(state.resource(), out);
        return out.toByteArray();
    }

    /**
     * Reads what a document says.
     *
     * @throws StoreException if it is in another version's format, or none
     */
    static State decode(String name, byte[] bytes) {
        byte format = bytes.length == 0 ? 0 : bytes[0];
        if (format > FORMAT && format < FORMATS) {
            throw unusable(
                    name,
                    "in format " + format + ", and this version of Belay knows format " + FORMAT
                            + ": run one version of Belay, or give these locks another table or collection",
                    null);
        } else if (bytes.length < HEAD || (format != FORMAT && format != EARLIER)) {
            throw damaged(name, null);
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
            long wanted = in.getLong();
            return new State(ResourceCodec.decode(in), wanted);
        } catch (IllegalArgumentException e) {
            throw damaged(name, e);
        }
    }

    private static StoreException damaged(String name, @Nullable Throwable cause) {
        return unusable(name, "damaged: delete it once nobody holds that lock", cause);
    }

    private static StoreException unusable(String name, String what, @Nullable Throwable cause) {
        return StoreException.unusable("what the database keeps of '" + name + "' is " + what, cause);
    }
}
