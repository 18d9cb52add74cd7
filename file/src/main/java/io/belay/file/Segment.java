package io.belay.file;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A file of a client's area, mapped. Only that client writes to it. */
final class Segment {
    static final int HEADER = HeapRange.UNIT;

    private static final long MAGIC = 0x42454c4159303141L;
    private static final int CHUNK = 1 << 16;

    final ByteBuffer memory;

    private Segment(ByteBuffer memory) {
        this.memory = memory;
    }

    static Path file(Path directory, long client, int number) {
        return directory.resolve(String.format(Locale.ROOT, "%016x.area%d", client, number));
    }

    /**
     * Makes a segment, and really writes all of it: in a mapped file with holes, a full disk would be noticed only by a
     * fault in the middle of an access.
     */
    static Segment create(Path directory, long client, int number, int size) throws IOException {
        Path file = file(directory, client, number);
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (channel) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
            for (long at = 0; at < size; at += zeros.limit()) {
                zeros.clear().limit((int) Math.min(CHUNK, size - at));
                while (zeros.hasRemaining()) {
                    channel.write(zeros, at + zeros.position());
                }
            }
            ByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            MappedWords.set(memory, 0, MAGIC + number);
            MappedWords.set(memory, 8, client);
            return new Segment(memory);
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Makes a segment that nobody else sees, for a client that writes nothing. */
    static Segment inMemory(int size) {
        return new Segment(ByteBuffer.allocateDirect(size));
    }

    /** Maps another client's segment for reading. */
    static Segment map(Path directory, long client, int number) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file(directory, client, number), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            if (size < HEADER || size > Integer.MAX_VALUE) {
                throw new StreamCorruptedException("it has " + size + " bytes");
            }
            ByteBuffer memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
            if (MappedWords.get(memory, 0) != MAGIC + number || MappedWords.get(memory, 8) != client) {
                throw new StreamCorruptedException("it does not begin as it should");
            }
            return new Segment(memory);
        }
    }
}
