package io.belay.spi;

import io.belay.spi.Resource.Tombstone;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A resource as bytes, for stores that keep it as one value: the resource, its claims and tombstones, and a tail with what
 * an earlier version did not know of the claims' owners. Where there is no tail, that is not known.
 */
public final class ResourceCodec {
    private static final int FIXED_CLAIM = 16 + 4 + 8 + 8 + 8 + 1 + 4 + 8 + 4 + 1 + 1 + 1 + 8 + 1;
    private static final int TOMBSTONE = 24;

    private ResourceCodec() {}

    /** Writes a resource. */
    public static void encode(Resource resource, Sink out) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(out, "out");
        out.putLong(resource.last());
        out.putInt(resource.capacity());
        out.putByte(resource.resized() ? 1 : 0);
        out.putLong(resource.keepUntil());
        out.putInt(resource.granted());
        out.putInt(resource.claims().size());
        out.putInt(resource.tombstones().size());
        for (Claim claim : resource.claims()) {
            encode(claim, out);
        }
        for (Tombstone tombstone : resource.tombstones()) {
            encode(tombstone.id(), out);
            out.putLong(tombstone.until());
        }
        for (Claim claim : resource.claims()) {
            out.putText(claim.owner().behalf());
            out.putLong(claim.owner().since());
            out.putLong(claim.owner().lease());
        }
    }

    private static void encode(Claim claim, Sink out) {
        encode(claim.id(), out);
        out.putInt(claim.weight());
        out.putLong(claim.sequence());
        out.putLong(claim.deadline());
        out.putLong(claim.fixedLease());
        out.putByte(claim.pending() ? 1 : 0);
        out.putInt(claim.reweights());
        out.putLong(claim.entered());
        out.putInt(claim.localWaiters());
        out.putByte(claim.sticky() ? 1 : 0);
        Owner owner = claim.owner();
        out.putText(owner.client());
        out.putText(owner.host());
        out.putLong(owner.process());
        out.putText(owner.thread());
    }

    private static void encode(ClaimId id, Sink out) {
        out.putLong(id.client());
        out.putLong(id.number());
    }

    /**
     * Reads what is left of the buffer as one resource.
     *
     * @throws IllegalArgumentException if that is none
     */
    public static Resource decode(ByteBuffer in) {
        Objects.requireNonNull(in, "in");
        try {
            long last = in.getLong();
            int capacity = in.getInt();
            boolean resized = flag(in);
            long keepUntil = in.getLong();
            int granted = in.getInt();
            int claims = count(in, FIXED_CLAIM);
            int tombstones = count(in, TOMBSTONE);
            List<Claim> list = new ArrayList<>(claims);
            for (int i = 0; i < claims; i++) {
                list.add(claim(in));
            }
            List<Tombstone> ended = new ArrayList<>(tombstones);
            for (int i = 0; i < tombstones; i++) {
                ended.add(Tombstone.of(id(in), in.getLong()));
            }
            for (int i = 0; i < claims && (i > 0 || in.hasRemaining()); i++) {
                list.set(i, withTail(list.get(i), in));
            }
            if (in.hasRemaining()) {
                throw new IllegalArgumentException("not a resource: " + in.remaining() + " bytes too many");
            }
            return new Resource(last, capacity, resized, list, granted, ended, keepUntil);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("not a resource: it is cut off", e);
        }
    }

    private static Claim claim(ByteBuffer in) {
        ClaimId id = id(in);
        int weight = in.getInt();
        long sequence = in.getLong();
        long deadline = in.getLong();
        long fixedLease = in.getLong();
        boolean pending = flag(in);
        int reweights = in.getInt();
        long entered = in.getLong();
        int localWaiters = in.getInt();
        boolean sticky = flag(in);
        Owner owner = Owner.of(text(in), text(in), in.getLong(), text(in));
        return Claim.of(id, weight, sequence, deadline, owner)
                .withFixedLease(fixedLease)
                .withPending(pending)
                .withReweights(reweights)
                .withEntered(entered)
                .withLocalWaiters(localWaiters)
                .withSticky(sticky);
    }

    private static Claim withTail(Claim claim, ByteBuffer in) {
        Owner owner = claim.owner();
        return claim.withOwner(owner.withThread(owner.thread(), text(in))
                .withSince(in.getLong())
                .withLease(in.getLong()));
    }

    private static ClaimId id(ByteBuffer in) {
        return ClaimId.of(in.getLong(), in.getLong());
    }

    private static boolean flag(ByteBuffer in) {
        byte value = in.get();
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("not a resource: a flag is " + value);
        }
        return value == 1;
    }

    private static int count(ByteBuffer in, int least) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / least) {
            throw new IllegalArgumentException("not a resource: " + count + " elements");
        }
        return count;
    }

    private static String text(ByteBuffer in) {
        int length = in.get() & 0xff;
        int at = in.position();
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(at + length);
        return new String(in.array(), in.arrayOffset() + at, length, StandardCharsets.UTF_8);
    }
}
