package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The replies of the scripts, read where they arrive. */
final class Outputs {
    /** The beginnings of errors found here: the record is none, or of another version, or no script replies so. */
    private static final String RECORD = "BELAYRECORD ";

    private static final String VERSION = "BELAYVERSION ";

    private static final String REPLY = "BELAYREPLY ";

    private Outputs() {}

    /** A reader of either kind of reply; one that cannot be read is an error of its command, and harms no other. */
    private abstract static class Output<T> extends CommandOutput<byte[], byte[], T> {
        @SuppressWarnings("NullAway") // Lettuce's own outputs begin with null as well
        Output() {
            super(ByteArrayCodec.INSTANCE, null);
        }

        @Override
        public final void set(@Nullable ByteBuffer bytes) {
            if (bytes == null) {
                otherKind("nothing");
                return;
            }
            try {
                output = read(bytes);
            } catch (Records.OtherVersion e) {
                setError(VERSION + e.getMessage());
            } catch (IllegalArgumentException e) {
                setError(RECORD + e.getMessage());
            } catch (Error e) { // Lettuce would take the replies behind it for those of other commands
                setError(e.toString());
            }
        }

        @Override
        public final void set(long number) {
            T read = read(number);
            if (read == null) {
                otherKind("the number " + number);
            } else {
                output = read;
            }
        }

        @Override
        public final void set(double number) {
            otherKind("the number " + number);
        }

        @Override
        public final void set(boolean value) {
            otherKind("a truth value");
        }

        @Override
        public final void setBigNumber(ByteBuffer number) {
            otherKind("a big number");
        }

        @Override
        public final void setSingle(ByteBuffer line) {
            otherKind("a line");
        }

        @Override
        public final void multi(int count) {
            otherKind("a list");
        }

        private void otherKind(String what) {
            setError(REPLY + "to a script with " + what);
        }

        T read(ByteBuffer bytes) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes for a number");
        }

        /** Reads a number; null if it cannot mean anything. */
        @Nullable
        T read(long number) {
            return null;
        }
    }

    static CommandOutput<byte[], byte[], Answer> answer(Request request, long server) {
        return answer(request, server, untold -> {});
    }

    /**
     * Reads the answer to a request.
     *
     * @param publisher takes what is left to this client to publish, while the reply is read
     */
    static CommandOutput<byte[], byte[], Answer> answer(Request request, long server, Consumer<ByteBuffer> publisher) {
        return new Output<>() {
            @Override
            Answer read(ByteBuffer bytes) {
                if (request instanceof Request.Enter enter && bytes.remaining() == Long.BYTES) {
                    return entered(enter, bytes.getLong());
                } else if (request instanceof Request.Leave && bytes.remaining() == 1 && bytes.get() == '0') {
                    return Wire.left(server);
                }
                Answer answer = Wire.answer(bytes, server);
                if (bytes.hasRemaining()) {
                    publisher.accept(bytes);
                }
                return answer;
            }

            private Answer entered(Request.Enter enter, long time) {
                if (time <= 0 || time >= Records.END) {
                    throw new IllegalArgumentException("not an answer: the time " + time);
                }
                return Wire.entered(enter, time, server);
            }
        };
    }

    /**
     * The replies to a chunk of renewals.
     *
     * @param answers null for those that failed
     * @param errors what these failed with, by their place in the chunk
     */
    record Renewed(List<@Nullable Answer> answers, Map<Integer, String> errors) {}

    static CommandOutput<byte[], byte[], Renewed> renewed(int count, long server) {
        return new Output<>() {
            @Override
            Renewed read(ByteBuffer bytes) {
                List<@Nullable Answer> answers = new ArrayList<>(count);
                Map<Integer, String> errors = new HashMap<>(0);
                for (int i = 0; i < count; i++) {
                    int begin = bytes.position();
                    String error = null;
                    Answer answer = null;
                    try {
                        error = Wire.error(bytes);
                        answer = error == null ? Wire.answer(bytes, server) : null;
                    } catch (IllegalArgumentException e) {
                        error = RECORD + e.getMessage();
                        bytes.position(Math.min(begin + Wire.ANSWER, bytes.limit()));
                    }
                    answers.add(answer);
                    if (error != null) {
                        errors.put(i, error);
                    }
                }
                return new Renewed(answers, errors);
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
                return Store.Snapshot.of(bytes.getLong(), Records.read(bytes));
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
