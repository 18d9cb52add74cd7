package io.belay.file.fence;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A guard of files that are replaced as a whole. The highest token that has been used of each lock is in a file of a directory;
 * that file is locked while its token is compared and the new content is given its name. The lock of Belay's may be in any
 * store.
 *
 * <pre>{@code
 * FileFence fence = FileFence.in(Path.of("/var/lib/shop/fences"));
 * FileFence.Writer stock = fence.raise(lease);           // before anything is read
 * int left = Integer.parseInt(Files.readString(file));
 * stock.replace(file, bytes(left - 1));                  // refused if a later holder has raised the fence
 * }</pre>
 *
 * <p>The directory, and what it guards, are on local disks of one host: file locks of network file systems are not to be relied
 * on. They are locks of {@link FileChannel#lock()}, which programs that use {@code flock} do not see. A holder that is stopped
 * in the midst of replacing a file keeps the next one waiting until it goes on or dies; then that sees the new file.
 *
 * <p>What has returned is on the disk. Thread-safe. Blocks while another process replaces a file under the same lock; an
 * interrupt ends that by a {@link java.nio.channels.ClosedByInterruptException} or a {@link java.io.InterruptedIOException}.
 */
public final class FileFence implements Fence<FileFence.Writer, IOException> {
    private final Path directory;

    private FileFence(Path directory) {
        this.directory = directory;
    }

    /** What is done while fences are compared and stay as they are. */
    @FunctionalInterface
    interface Effect {
        void run() throws IOException;
    }

    /**
     * Returns the fence whose tokens are in a directory.
     *
     * @param directory which is there, and in which all who share the files may write; each lock has a small file in it, with
     *     the permissions of a new file
     */
    public static FileFence in(Path directory) {
        return new FileFence(Objects.requireNonNull(directory, "directory"));
    }

    @Override
    public Writer raiseTo(Collection<FencingToken> tokens) throws IOException {
        List<FencingToken> ordered = FencingToken.inOrder(tokens);
        fenced(ordered, () -> {});
        return new Writer(ordered);
    }

    @Override
    public void reset(String lock) throws IOException {
        Objects.requireNonNull(lock, "lock");
        try (FenceFile fence = FenceFile.open(directory, lock)) {
            fence.write(0);
        }
    }

    /** Raises the fences, all or none, and then has the effect before anybody else can raise them. */
    void fenced(List<FencingToken> ordered, Effect effect) throws IOException {
        Deque<FenceFile> fences = new ArrayDeque<>();
        try {
            for (FencingToken token : ordered) {
                FenceFile fence = FenceFile.open(directory, token.lock());
                fences.addLast(fence);
                if (fence.token() > token.value()) {
                    throw StaleTokenException.of(token, fence.token());
                }
            }
            for (FencingToken token : ordered) {
                FenceFile fence = fences.removeFirst();
                fences.addLast(fence);
                fence.raise(token.value());
            }
            effect.run();
        } finally {
            closeAll(fences);
        }
    }

    private static void closeAll(Deque<FenceFile> fences) throws IOException {
        IOException failure = null;
        for (FenceFile fence : fences) {
            try {
                fence.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The way to write for a holder that has raised the fence. Each method refuses in the same step in which it would write. */
    public final class Writer {
        private final List<FencingToken> tokens;

        private Writer(List<FencingToken> tokens) {
            this.tokens = tokens;
        }

        /**
         * Replaces a file, or makes it. It is written beside it first, under a name that ends in {@code .tmp}, with the
         * permissions of a new file. Whoever reads sees all of the old content or all of the new.
         *
         * @throws StaleTokenException if a later holder has raised the fence; the file is as it was
         */
        public void replace(Path file, byte[] content) throws IOException {
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(content, "content");
            Path fresh = file.resolveSibling(".belay-" + UUID.randomUUID() + ".tmp");
            try {
                try (FileChannel channel =
                        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
                        channel.write(rest);
                    }
                    channel.force(true);
                }
                move(fresh, file);
            } finally {
                Files.deleteIfExists(fresh);
            }
        }

        /**
         * Replaces a file by one that was written before, and is on the disk.
         *
         * @param fresh in the same file system
         * @throws StaleTokenException if a later holder has raised the fence; both files are as they were
         */
        public void move(Path fresh, Path file) throws IOException {
            Objects.requireNonNull(fresh, "fresh");
            Objects.requireNonNull(file, "file");
            fenced(tokens, () -> {
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                force(file.toAbsolutePath().getParent());
            });
        }
    }

    /** Has the names in a directory written to the disk, where the system can. */
    static void force(@Nullable Path directory) throws IOException {
        if (directory != null && Files.getFileStore(directory).supportsFileAttributeView("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
