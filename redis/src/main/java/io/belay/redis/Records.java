package io.belay.redis;

import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the records that the scripts keep; read.lua says how they are laid out. */
final class Records {
    /** The year 2223, in milliseconds: read.lua takes nothing later either. */
    private static final long DISTANT = 8_000_000_000_000L;

    /** The limit of times and sequences, in microseconds: each is less. */
    static final long END = DISTANT * 1000;

    private static final int LEAST_CLAIM = 72;
    private static final int TOMBSTONE = 32;

    private Records() {}

    /** A record that another version of Belay wrote: it begins with another small letter. */
    static final class OtherVersion extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        OtherVersion() {
            super("a record of another version");
        }
    }

    /**
     * Reads a record.
     *
     * @return what it says; empty where there is no record
     * @throws OtherVersion if it is one of another version
     * @throws IllegalArgumentException if it is none
     */
    static Optional<Resource> read(ByteBuffer in) {
        if (!in.hasRemaining()) {
            return Optional.empty();
        }
        try {
            int start = in.position();
            byte version = in.get();
            if (version >= 'a' && version <= 'z' && version != 'b') {
                throw new OtherVersion();
            } else if (version != 'b') {
                throw new IllegalArgumentException("not a record: version " + version);
            }
            long kept = in.getLong(); // until when, which Redis sees to
            long last = in.getLong();
            byte shape = in.get();
            if (kept < 0 || kept >= DISTANT || last < 0 || last >= END) {
                throw new IllegalArgumentException("not a record: its times");
            }
            return Optional.of(
                    switch (shape) {
                        case '0' -> Resource.of(last, 0);
                        case '1' -> alone(in, last);
                        case '2' -> whole(in, start, last);
                        default -> throw new IllegalArgumentException("not a record: shape " + shape);
                    });
        } catch (BufferUnderflowException | NumberFormatException e) {
            throw new IllegalArgumentException("not a record: it is damaged", e);
        }
    }

    private static Resource alone(ByteBuffer in, long last) {
        ClaimId id = Wire.id(in);
        long lease = in.getLong();
        in.getLong(); // a fixed lease, which such a claim has not
        int capacity = in.getInt();
        int weight = in.getInt();
        in.get(); // whether it wanted to wait
        int waiters = in.getInt();
        Claim claim = Claim.of(id, weight, last, last + lease, owner(in))
                .withEntered(last)
                .withLocalWaiters(waiters);
        return Resource.of(last, capacity).withClaims(List.of(claim), 1);
    }

    private static Resource whole(ByteBuffer in, int start, long last) {
        int capacity = in.getInt();
        boolean resized = in.get() == 1;
        int granted = in.getInt();
        int claims = count(in, in.getInt(), LEAST_CLAIM);
        int buried = count(in, in.getInt(), TOMBSTONE);
        in.getLong(); // before which nothing expires
        in.getLong(); // after which nothing does
        int first = in.getInt();
        List<Resource.Tombstone> tombstones = new ArrayList<>(buried);
        for (int i = 0; i < buried; i++) {
            tombstones.add(Resource.Tombstone.of(Wire.id(in), in.getLong()));
        }
        if (first < in.position() - start || first > in.limit() - start) {
            throw new IllegalArgumentException("not a record: the first claim at " + first);
        }
        in.position(start + first);
        List<Claim> list = new ArrayList<>(claims);
        for (int i = 0; i < claims; i++) {
            list.add(claim(in));
        }
        return Resource.of(last, capacity)
                .withResized(resized)
                .withClaims(list, granted)
                .withTombstones(tombstones);
    }

    private static Claim claim(ByteBuffer in) {
        ClaimId id = Wire.id(in);
        int weight = in.getInt();
        long sequence = in.getLong();
        long deadline = in.getLong();
        long fixedLease = in.getLong();
        boolean pending = in.get() == 1;
        int reweights = in.getInt();
        long entered = in.getLong();
        int localWaiters = in.getInt();
        boolean sticky = in.get() == 1;
        return Claim.of(id, weight, sequence, deadline, owner(in))
                .withFixedLease(fixedLease)
                .withPending(pending)
                .withReweights(reweights)
                .withEntered(entered)
                .withLocalWaiters(localWaiters)
                .withSticky(sticky);
    }

    private static Owner owner(ByteBuffer in) {
        int length = in.getShort() & 0xffff;
        int begin = in.position();
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(begin + length);
        return Wire.owner(in.slice(begin, length));
    }

    private static int count(ByteBuffer in, int count, int least) {
        if (count < 0 || count > in.remaining() / least) {
            throw new IllegalArgumentException("not a record: " + count + " elements");
        }
        return count;
    }
}
