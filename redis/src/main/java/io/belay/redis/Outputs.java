package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the scripts reply, read where it arrives. */
final class Outputs {
    private Outputs() {}

    /** Reads either kind of reply; one that cannot be read is an error of the command's, and harms no other. */
    private abstract static class Output<T> extends CommandOutput<byte[], byte[], T> {
        @SuppressWarnings("NullAway") // Lettuce's own outputs begin with null as well
        Output() {
            super(ByteArrayCodec.INSTANCE, null);
        }

        @Override
        public final void set(ByteBuffer bytes) {
            try {
                output = read(bytes);
            } catch (IllegalArgumentException e) {
                setError("BELAYRECORD " + e.getMessage());
            }
        }

        @Override
        public final void set(long number) {
            try {
                output = read(number);
            } catch (IllegalArgumentException e) {
                setError("BELAYRECORD " + e.getMessage());
            }
        }

        T read(ByteBuffer bytes) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes for a number");
        }

        T read(long number) {
            throw new IllegalArgumentException(number + " for bytes");
        }
    }

    static CommandOutput<byte[], byte[], Answer> answer(Request request, long server) {
        return new Output<>() {
            @Override
            Answer read(ByteBuffer bytes) {
                return Wire.answer(bytes, server);
            }

            @Override
            Answer read(long number) {
                return request instanceof Request.Enter enter ? Wire.entered(enter, number, server) : Wire.left(server);
            }
        };
    }

    static CommandOutput<byte[], byte[], List<Answer>> answers(int count, long server) {
        return new Output<>() {
            @Override
            List<Answer> read(ByteBuffer bytes) {
                List<Answer> answers = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    answers.add(Wire.answer(bytes, server));
                }
                return answers;
            }
        };
    }

    static CommandOutput<byte[], byte[], Store.Snapshot> snapshot() {
        return new Output<>() {
            @Override
            Store.Snapshot read(ByteBuffer bytes) {
                if (bytes.remaining() < Long.BYTES) {
                    throw new IllegalArgumentException("no time");
                }
                return new Store.Snapshot(bytes.getLong(), Records.read(bytes));
            }
        };
    }

    static CommandOutput<byte[], byte[], Long> number() {
        return new Output<>() {
            @Override
            Long read(long number) {
                return number;
            }
        };
    }
}
