package io.belay.file;

import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.ResourceCodec;
import io.belay.spi.Sink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the state of one bucket, to be read, changed and written anew: its resources, of which only those that
 * somebody asks for are decoded. A {@link LockStripe} keeps and reuses it; not thread-safe.
 *
 * <pre>
 * document  checksum:4 of all that follows, length:4, version:8, client:8, bucket:4, count:4, resources
 * resource  name length:4, body length:4, due:8, forgettable from:8, name, body
 * </pre>
 *
 * <p>Version, client and bucket must be those of the head that led here, so that a document which is whole but not the
 * one that was meant is found out too.
 */
final class Document {
    private static final int HEADER = 32;
    private static final int FIXED = 24;

    private final CRC32C checksum = new CRC32C();
    private final List<Entry> entries = new ArrayList<>();
    private byte[] bytes = new byte[1024];
    private ByteBuffer buffer = ByteBuffer.wrap(bytes);

    /** A resource: where it lies in {@link #bytes}, or what has replaced it. */
    private static final class Entry {
        byte[] name = {};
        int bodyAt;
        int bodyLength;
        /** The time at which the next claim expires; {@link Long#MAX_VALUE} if none does. */
        long due;
        /** {@link Resource#isForgettable} as a time, to be asked without decoding; {@link Long#MAX_VALUE} while it is not. */
        long forgettableFrom;

        @Nullable
        Resource resource;

        boolean changed;
    }

    void clear() {
        entries.clear();
    }

    int size() {
        return entries.size();
    }

    /** Copies bytes that may be changing; {@link #parse} tells later whether they are good for anything. */
    void copy(ByteBuffer memory, int offset, int length) {
        if (bytes.length < length) {
            // In this order, as memory may run out: both have to be of the same bytes.
            buffer = ByteBuffer.wrap(new byte[Integer.highestOneBit(length) * 2]);
            bytes = buffer.array();
        }
        memory.get(offset, bytes, 0, length);
    }

    /**
     * Takes apart the bytes that were copied.
     *
     * @throws Damage if they are not the document that was meant
     */
    void parse(int length, long version, long client, int bucket) {
        entries.clear();
        if (length < HEADER
                || buffer.getInt(0) != check(bytes, length)
                || buffer.getInt(4) != length
                || buffer.getLong(8) != version
                || buffer.getLong(16) != client
                || buffer.getInt(24) != bucket) {
            throw new Damage("not the document of bucket " + bucket);
        }
        int count = buffer.getInt(28);
        int at = HEADER;
        for (int i = 0; i < count; i++) {
            at = parseEntry(at, length);
        }
        if (at != length || count < 0) {
            throw new Damage("the document of bucket " + bucket + " has a wrong length");
        }
    }

    private int parseEntry(int at, int length) {
        int nameLength = at + FIXED <= length ? buffer.getInt(at) : -1;
        int bodyLength = at + FIXED <= length ? buffer.getInt(at + 4) : -1;
        if (nameLength < 0 || bodyLength < 0 || (long) at + FIXED + nameLength + bodyLength > length) {
            throw new Damage("a resource ends behind its document");
        }
        Entry entry = new Entry();
        entry.due = buffer.getLong(at + 8);
        entry.forgettableFrom = buffer.getLong(at + 16);
        entry.name = Arrays.copyOfRange(bytes, at + FIXED, at + FIXED + nameLength);
        entry.bodyAt = at + FIXED + nameLength;
        entry.bodyLength = bodyLength;
        entries.add(entry);
        return entry.bodyAt + bodyLength;
    }

    private int check(byte[] content, int length) {
        checksum.reset();
        checksum.update(content, 4, length - 4);
        return (int) checksum.getValue();
    }

    /** Returns the index of a resource, or -1. */
    int find(byte[] name) {
        for (int i = 0; i < entries.size(); i++) {
            if (Arrays.equals(entries.get(i).name, name)) {
                return i;
            }
        }
        return -1;
    }

    String name(int index) {
        byte[] name = entries.get(index).name;
        return ResourceNames.string(name, 0, name.length);
    }

    /**
     * Returns the resource at an index.
     *
     * @throws Damage if its bytes are no resource
     */
    Resource resource(int index) {
        Entry entry = entries.get(index);
        Resource known = entry.resource;
        if (known == null) {
            try {
                known = ResourceCodec.decode(buffer.slice(entry.bodyAt, entry.bodyLength));
            } catch (IllegalArgumentException e) {
                throw new Damage("a resource is damaged", e);
            }
            entry.resource = known;
        }
        return known;
    }

    boolean hasClaimOf(long client) {
        for (int i = 0; i < entries.size(); i++) {
            if (resource(i).claims().stream().anyMatch(claim -> claim.id().client() == client)) {
                return true;
            }
        }
        return false;
    }

    /** Puts a resource in place of the one at an index, or adds it where that is -1. */
    void put(int index, byte[] name, Resource resource) {
        Entry entry = index < 0 ? new Entry() : entries.get(index);
        if (index < 0) {
            entry.name = name;
            entries.add(entry);
        }
        entry.resource = resource;
        entry.changed = true;
        entry.due = due(resource);
        entry.forgettableFrom = resource.claims().isEmpty() ? resource.forgettableFrom() : Long.MAX_VALUE;
    }

    void replace(int index, Resource resource) {
        put(index, entries.get(index).name, resource);
    }

    private static long due(Resource resource) {
        long due = Long.MAX_VALUE;
        for (Claim claim : resource.claims()) {
            due = Math.min(due, claim.deadline());
        }
        return due;
    }

    boolean isDue(int index, long now) {
        return entries.get(index).due <= now;
    }

    boolean hasForgettable(long now) {
        return entries.stream().anyMatch(entry -> entry.forgettableFrom <= now);
    }

    /** Drops what may be forgotten; returns whether there was anything. */
    boolean forget(long now) {
        return entries.removeIf(entry -> entry.forgettableFrom <= now);
    }

    /** Writes the document as the state of a bucket. */
    void write(Sink out, long version, long client, int bucket) {
        out.reset();
        out.putLong(0);
        out.putLong(version);
        out.putLong(client);
        out.putInt(bucket);
        out.putInt(entries.size());
        for (Entry entry : entries) {
            write(entry, out);
        }
        out.putIntAt(4, out.length());
        out.putIntAt(0, check(out.bytes(), out.length()));
    }

    private void write(Entry entry, Sink out) {
        int at = out.length();
        out.putInt(entry.name.length);
        out.putInt(entry.bodyLength);
        out.putLong(entry.due);
        out.putLong(entry.forgettableFrom);
        out.putBytes(entry.name, 0, entry.name.length);
        Resource resource = entry.resource;
        if (entry.changed && resource != null) {
            int body = out.length();
            ResourceCodec.encode(resource, out);
            out.putIntAt(at + 4, out.length() - body);
        } else {
            out.putBytes(bytes, entry.bodyAt, entry.bodyLength);
        }
    }
}
