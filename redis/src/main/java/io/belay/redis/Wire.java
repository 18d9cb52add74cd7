package io.belay.redis;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Refusals;
import io.belay.spi.Request;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes that go to the scripts and come from them and from channels. The scripts say how they are laid out. */
final class Wire {
    /** The bytes of one answer of the scripts that run the whole model. */
    static final int ANSWER = 62;

    /** The first byte of an enter and of a leave: the shape of the record between the two. */
    private static final byte ALONE = '1';

    /** The state of what is no answer but an error. */
    private static final byte FAILED = -1;

    private static final int ID = 24;

    /** The bytes of a push before the key. */
    private static final int PUSH = ID + 25;

    private static final byte[] DIGITS = utf8("0123456789abcdef");
    private static final Answer.State[] STATES = Answer.State.values();

    private Wire() {}

    /** Encodes a request as the argument of the script that runs it. */
    static byte[] encode(Request request) {
        if (request instanceof Request.Enter enter) {
            return encode(enter);
        } else if (request instanceof Request.Leave leave) {
            ByteBuffer out = ByteBuffer.allocate(1 + ID + (leave.unclear() ? 1 : 0));
            id(out.put(ALONE), leave.id());
            return out.array();
        } else if (request instanceof Request.Renew renew) {
            return encode(List.of(renew));
        } else if (request instanceof Request.Yield yield) {
            ByteBuffer out = id(ByteBuffer.allocate(ID + 20), yield.id());
            out.putLong(yield.sequence()).putLong(yield.lease());
            return out.putInt(yield.localWaiters()).array();
        } else if (request instanceof Request.Reweight reweight) {
            ByteBuffer out = id(ByteBuffer.allocate(ID + 16), reweight.id());
            out.putLong(reweight.sequence()).putInt(reweight.reweights());
            return out.putInt(reweight.weight()).array();
        } else if (request instanceof Request.Fix fix) {
            ByteBuffer out = id(ByteBuffer.allocate(ID + 20), fix.id());
            out.putLong(fix.sequence()).putInt(fix.reweights());
            return out.putLong(fix.lease()).array();
        } else if (request instanceof Request.Describe describe) {
            byte[] owner = encode(describe.owner());
            ByteBuffer out = id(ByteBuffer.allocate(ID + 10 + owner.length), describe.id());
            return out.putLong(describe.sequence())
                    .putShort((short) owner.length)
                    .put(owner)
                    .array();
        } else if (request instanceof Request.Skip skip) {
            ByteBuffer out = id(ByteBuffer.allocate(ID + 8), skip.id());
            return out.putLong(skip.sequence()).array();
        } else if (request instanceof Request.Resize resize) {
            return ByteBuffer.allocate(4).putInt(resize.capacity()).array();
        }
        return new byte[0];
    }

    /** Encodes renewals back to back: server and driver take one large argument for far less than many small ones. */
    static byte[] encode(List<Request.Renew> renewals) {
        ByteBuffer out = ByteBuffer.allocate(renewals.size() * (ID + 21));
        for (Request.Renew renew : renewals) {
            id(out, renew.id()).putLong(renew.sequence()).putLong(renew.lease());
            out.putInt(renew.localWaiters()).put(flag(renew.fresh()));
        }
        return out.array();
    }

    private static byte[] encode(Request.Enter enter) {
        byte[] owner = encode(enter.owner());
        int more = enter.proposed() == 0 ? 0 : Long.BYTES;
        ByteBuffer out =
                id(ByteBuffer.allocate(1 + ID + 31 + owner.length + more).put(ALONE), enter.id());
        ClaimSpec spec = enter.spec();
        out.putLong(spec.lease()).putLong(spec.fixedLease());
        out.putInt(spec.capacity()).putInt(spec.weight()).put((byte) (flag(spec.ifFree()) + 2 * flag(spec.sticky())));
        out.putInt(enter.localWaiters()).putShort((short) owner.length).put(owner);
        return (more == 0 ? out : out.putLong(enter.proposed())).array();
    }

    private static byte[] encode(Owner owner) {
        byte[] client = utf8(owner.client());
        byte[] host = utf8(owner.host());
        byte[] thread = utf8(owner.thread());
        byte[] behalf = utf8(owner.behalf());
        int texts = client.length + host.length + thread.length + behalf.length;
        ByteBuffer out = ByteBuffer.allocate(4 + texts + 3 * Long.BYTES);
        text(out, client);
        text(out, host);
        text(out.putLong(owner.process()), thread);
        text(out, behalf);
        return out.putLong(owner.since()).putLong(owner.lease()).array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a text behind its length: at most 64 characters are at most 192 bytes. */
    private static void text(ByteBuffer out, byte[] text) {
        out.put((byte) text.length).put(text);
    }

    private static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    private static ByteBuffer id(ByteBuffer out, ClaimId id) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            out.put(DIGITS[(int) (id.client() >>> shift) & 15]);
        }
        return out.putLong(id.number());
    }

    /** Returns a client's number as it stands in claim ids and channels: 16 digits. */
    static String hex(long client) {
        String digits = Long.toHexString(client);
        return "0".repeat(16 - digits.length()) + digits;
    }

    static ClaimId id(ByteBuffer in) {
        byte[] client = new byte[16];
        in.get(client);
        return ClaimId.of(Long.parseUnsignedLong(new String(client, StandardCharsets.ISO_8859_1), 16), in.getLong());
    }

    /** Reads an owner: one of an earlier version ends with its thread, one of a later version may say more. */
    static Owner owner(ByteBuffer in) {
        Owner owner = Owner.of(text(in), text(in), in.getLong(), text(in));
        return in.hasRemaining()
                ? owner.withThread(owner.thread(), text(in))
                        .withSince(in.getLong())
                        .withLease(in.getLong())
                : owner;
    }

    private static String text(ByteBuffer in) {
        int length = in.get() & 0xff;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the answer that fast-enter.lua tells by one number: the time, which is also the sequence. */
    static Answer entered(Request.Enter enter, long time, long server) {
        long deadline = time + enter.spec().lease();
        return Answer.of(Answer.State.GRANTED, time)
                .withClaim(time, deadline)
                .withQueue(deadline, 0)
                .from(server);
    }

    /** Returns the answer that fast-leave.lua tells: that it worked. */
    static Answer left(long server) {
        return Answer.of(Answer.State.LEFT, 0).from(server);
    }

    /**
     * Reads one answer of the scripts that run the whole model.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Answer answer(ByteBuffer in, long server) {
        try {
            long time = in.getLong();
            int state = in.get();
            if (state < 0 || state >= STATES.length) {
                throw new IllegalArgumentException("not an answer: state " + state);
            }
            Answer answer = Answer.of(STATES[state], time)
                    .withClaim(in.getLong(), in.getLong())
                    .withReweights(in.getInt())
                    .withPlace(in.getInt())
                    .withQueue(in.getLong(), in.getInt())
                    .withRefusal(refusal(in.get(), in.getInt(), in.getLong(), in.getInt()))
                    .from(server);
            boolean claim = STATES[state] == Answer.State.GRANTED || STATES[state] == Answer.State.WAITING;
            if (claim && (answer.sequence() == 0 || answer.deadline() == 0)) {
                throw new IllegalArgumentException("not an answer: a claim without a sequence or a deadline");
            }
            return answer;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("not an answer: it is cut off", e);
        }
    }

    /**
     * A message that a script left to its client to publish.
     *
     * @param client whose channel it is for, as 16 digits
     * @param message what to say
     * @param ends whether it tells of the end of a claim
     */
    record Untold(String client, byte[] message, boolean ends) {}

    /**
     * Reads what scripts left to their client to publish; outside.lua says how it is laid out.
     *
     * @param key the key that the script was about, which each message ends with
     * @throws IllegalArgumentException if no script of ours wrote it
     */
    static List<Untold> untold(ByteBuffer in, byte[] key) {
        List<Untold> all = new ArrayList<>(1);
        try {
            while (in.hasRemaining()) {
                int length = in.getShort() & 0xffff;
                byte[] client = new byte[16];
                in.get(client);
                if (length < PUSH || length > in.remaining()) {
                    throw new BufferUnderflowException();
                }
                byte[] message = new byte[length + key.length];
                in.get(message, 0, length);
                System.arraycopy(key, 0, message, length, key.length);
                String digits = new String(client, StandardCharsets.ISO_8859_1);
                all.add(new Untold(digits, message, message[ID + Long.BYTES] == 0));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("not a push: it is cut off", e);
        }
        return all;
    }

    /** Reads the error in the place of an answer, as one of several requests failed; null if it is an answer. */
    static @Nullable String error(ByteBuffer in) {
        int state = in.position() + Long.BYTES;
        if (in.limit() <= state || in.get(state) != FAILED) {
            return null;
        }
        in.position(state + 1);
        try {
            byte[] text = new byte[Math.min(in.getInt() & Integer.MAX_VALUE, in.remaining())];
            in.get(text);
            return new String(text, StandardCharsets.UTF_8);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("not an error: it is cut off", e);
        }
    }

    private static @Nullable String refusal(byte code, int have, long others, int asked) {
        return switch (code) {
            case 0 -> null;
            case 1 -> Refusals.ENDED;
            case 2 -> Refusals.otherCapacity(have, asked);
            case 3 -> Refusals.tooHeavy(have, asked);
            case 4 -> Refusals.noRoom(have, others, asked);
            default -> throw new IllegalArgumentException("not an answer: refusal " + code);
        };
    }

    /**
     * Reads what came on a client's channel, where whoever may publish can name a claim of another client.
     *
     * @throws IllegalArgumentException if no script of ours wrote it, or it is of another client's claim
     */
    static Push push(byte[] message, Settings settings, long client, long server) {
        ByteBuffer in = ByteBuffer.wrap(message);
        try {
            ClaimId id = id(in);
            if (id.client() != client) {
                throw new IllegalArgumentException("not a push to this client");
            }
            long sequence = in.getLong();
            byte how = in.get();
            long time = in.getLong();
            long deadline = in.getLong();
            String key = new String(message, in.position(), in.remaining(), StandardCharsets.UTF_8);
            return Push.of(settings.resource(key), id, sequence, (how & 1) != 0, time, deadline)
                    .withWanted((how & 2) != 0)
                    .from(server);
        } catch (BufferUnderflowException | NumberFormatException e) {
            throw new IllegalArgumentException("not a push", e);
        }
    }
}
