package io.belay.trials.fault;

import io.belay.servers.Restartable;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A directory; one that can be full is a file system of its own, in memory. */
final class FileSite implements Site {
    private static final int KILOBYTES = 16 * 1024;
    private static final String FILLER = "belay-filler";

    private final Path directory;
    private boolean mounted;

    private FileSite(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
    }

    static Site at(Path directory, boolean limited) throws IOException, InterruptedException {
        if (limited) {
            Files.createDirectory(directory);
            run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + KILOBYTES + "k", "tmpfs", directory.toString());
        }
        FileSite site = new FileSite(directory, limited);
        if (limited) {
            // Left mounted, the directory of the trial could not be deleted.
            Runtime.getRuntime().addShutdownHook(new Thread(site::close, "trials-site"));
        }
        return site;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
        }
    }

    @Override
    public String url(int client) {
        return "file:" + directory;
    }

    @Override
    public List<Restartable> servers() {
        return List.of();
    }

    /** Fills what room there is, to the last byte. */
    @Override
    public void have(Room room) throws IOException {
        Path filler = directory.resolve(FILLER);
        if (room == Room.PLENTY) {
            Files.deleteIfExists(filler);
            return;
        }
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] some = new byte[1024];
            for (int i = 0; i < KILOBYTES; i++) {
                out.write(some);
            }
        } catch (IOException e) {
            return; // it is full
        }
        throw new IOException(directory + " has room for more than " + KILOBYTES + " kB");
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of();
    }

    /** What is no file system of its own goes with the directory of the trial. */
    @Override
    public synchronized void close() {
        if (!mounted) {
            return;
        }
        mounted = false;
        try {
            run("umount", "-l", directory.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
