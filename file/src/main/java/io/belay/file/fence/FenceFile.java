package io.belay.file.fence;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The file with the fence of one lock, which nobody else has as long as this is open: the token in nineteen digits, and the
 * lock's name for those who look. Confined to a thread.
 *
 * <p>A lock of a file is its process's, and is gone once that closes any channel of the file. So within one process one thread
 * at a time has it open, whichever class loader its classes come from: it sets a system property that names the file.
 */
final class FenceFile implements AutoCloseable {
    private static final int DIGITS = 19;

    private static final String PROPERTY = "io.belay.file.fence";
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path path;
    private final String turn;
    private final FileChannel channel;
    private final String lock;
    private final long token;

    private FenceFile(Path path, String turn, FileChannel channel, String lock) throws IOException {
        this.path = path;
        this.turn = turn;
        this.channel = channel;
        this.lock = lock;
        token = read();
    }

    /** Opens the file, or makes it, and waits until nobody else has it. */
    static FenceFile open(Path directory, String lock) throws IOException {
        Path path = directory.toRealPath().resolve(fileName(lock));
        String turn = takeTurn(path);
        boolean opened = false;
        try {
            FenceFile file = opened(path, turn, lock);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                System.getProperties().remove(turn);
            }
        }
    }

    private static String takeTurn(Path path) throws IOException {
        Object key = Files.readAttributes(path.getParent(), BasicFileAttributes.class)
                .fileKey();
        String turn = PROPERTY + (key == null ? path.getParent() : key) + path.getFileName();
        while (System.getProperties().putIfAbsent(turn, "taken") != null) {
            pause(path);
        }
        return turn;
    }

    private static FenceFile opened(Path path, String turn, String lock) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            // If it waited in the kernel, that could take two processes whose threads have a file each for a deadlock.
            while (channel.tryLock() == null) {
                pause(path);
            }
            return new FenceFile(path, turn, channel, lock);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void pause(Path path) throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while somebody else has " + path);
        }
        LockSupport.parkNanos(PAUSE);
    }

    /** Returns a name that any file system takes, however long the lock's name is. */
    private static String fileName(String lock) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(lock.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum) + ".fence";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the token at which the fence stood when it was opened; 0 if nobody has raised it. */
    long token() {
        return token;
    }

    void raise(long higher) throws IOException {
        if (higher != token) {
            write(higher);
        }
    }

    /** Writes the token to the disk: over the old one, within one sector. */
    void write(long value) throws IOException {
        String text = String.format(Locale.ROOT, "%0" + DIGITS + "d", value) + (token == 0 ? "\n" + lock + "\n" : "");
        ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        for (int at = 0; rest.hasRemaining(); ) {
            at += channel.write(rest, at);
        }
        channel.force(true);
        if (token == 0) {
            FileFence.force(path.getParent());
        }
    }

    private long read() throws IOException {
        ByteBuffer digits = ByteBuffer.allocate(DIGITS);
        while (digits.hasRemaining() && channel.read(digits, digits.position()) > 0) {
            // until all are there, or none follow
        }
        String text = new String(digits.array(), 0, digits.position(), StandardCharsets.US_ASCII);
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long value = Long.parseUnsignedLong(text);
            if (text.length() == DIGITS && value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // As below.
        }
        throw new IOException("the fence of '" + lock + "' in " + path + " is damaged: it begins with '"
                + text.replaceAll("\\P{Print}", "?") + "', and not with a token of " + DIGITS
                + " digits; delete it once nobody holds the lock");
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            System.getProperties().remove(turn);
        }
    }
}
