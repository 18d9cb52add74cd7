package io.belay.file;

import io.belay.support.Mutex;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A client's socket, and its way to the sockets of others. A socket in the boot's directory is a client's address and
 * its sign of life: the kernel accepts connections for a process that is stopped, and refuses them once the process has
 * ended, when it can no longer write to mapped memory either. Where the file is missing nothing is known: somebody may
 * have deleted it. Other kernels than Linux refuse connections of a living process, too, once a queue is full of those that
 * it has not taken: there its number stands beside the socket, and only if no process has that any more it has ended.
 */
final class Endpoint {
    /** The longest path that a socket address takes everywhere. */
    private static final int MAX_PATH = 103;

    private static final int BACKLOG = 1024;
    private static final String NAME = "%016x.sock";
    private static final String PROCESS = "%016x.pid";
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

    private final Path boot;
    private final long client;
    private final Access access;
    private final boolean refusalTells;
    private final Mutex aliasing = new Mutex();
    private @Nullable Alias alias;

    /**
     * A symbolic link from a short path to a long one, for this process alone.
     *
     * @param directory the directory that it was made in
     * @param made the owner and the rights of that
     */
    private record Alias(Path directory, PosixFileAttributes made, Path target) {
        static Alias make(Path target) throws IOException {
            Path directory = directory(target);
            new Access(false).give(directory, "rwx------");
            Alias alias = new Alias(directory, attributes(directory), target);
            if (ResourceNames.bytes(alias.link()
                                    .resolve(String.format(NAME, 0L))
                                    .toString())
                            .length
                    > MAX_PATH) {
                Files.delete(directory);
                throw new IOException("the paths of both " + target + " and the temporary directory " + directory
                        + " are too long for a socket: use a directory with a shorter path");
            }
            Files.createSymbolicLink(alias.link(), target);
            return alias;
        }

        private static Path directory(Path target) throws IOException {
            try {
                return Files.createTempDirectory("belay");
            } catch (IOException e) { // which names a directory that nobody has asked for
                throw new IOException(
                        "the path of " + target
                                + " is too long for a socket, and no link to it can be made in the temporary"
                                + " directory (" + DirectoryFiles.reason(e)
                                + "): use a directory with a shorter path, or"
                                + " set java.io.tmpdir",
                        e);
            }
        }

        Path link() {
            return directory.resolve("b");
        }

        private static PosixFileAttributes attributes(Path directory) throws IOException {
            return Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        }

        /**
         * Returns whether the link is the one that was made. Where a cleaning job has taken it away anybody may put another
         * one in its place, behind which living clients seem to be dead; but not in a directory of this user alone.
         */
        boolean isThere() {
            try {
                PosixFileAttributes now = attributes(directory);
                return now.isDirectory()
                        && now.owner().equals(made.owner())
                        && now.permissions().equals(made.permissions())
                        && Files.readSymbolicLink(link()).equals(target);
            } catch (IOException e) {
                return false;
            }
        }

        void delete() throws IOException {
            if (isThere()) {
                Files.delete(link());
                Files.delete(directory);
            }
        }
    }

    /** The outcome of an attempt to connect. */
    enum Outcome {
        CONNECTED,
        /** The process has ended, or closed its store. */
        REFUSED,
        /** The socket is missing. */
        MISSING,
        /** The socket is there and takes no connection now. */
        BUSY
    }

    Endpoint(Path boot, long client, Access access) throws IOException {
        this(boot, client, access, LINUX);
    }

    /**
     * Makes an endpoint.
     *
     * @param refusalTells whether the kernel refuses connections only where nobody listens
     */
    Endpoint(Path boot, long client, Access access, boolean refusalTells) throws IOException {
        this.boot = boot;
        this.client = client;
        this.access = access;
        this.refusalTells = refusalTells;
        int length = ResourceNames.bytes(boot.resolve(String.format(NAME, 0L)).toString()).length;
        alias = length <= MAX_PATH ? null : Alias.make(boot);
    }

    /**
     * Makes an endpoint for a caller that only wants to see which clients live; of another boot mostly, whose numbers other
     * processes have by now.
     */
    static Endpoint ofNobody(Path boot) throws IOException {
        return new Endpoint(boot, 0, new Access(false), true);
    }

    /** Returns the address of a socket; by the link, which is made anew if somebody has cleared it away. */
    private UnixDomainSocketAddress address(String name) throws IOException {
        try (var held = aliasing.hold()) {
            if (alias != null && !alias.isThere()) {
                alias = Alias.make(boot);
            }
            return UnixDomainSocketAddress.of((alias == null ? boot : alias.link()).resolve(name));
        }
    }

    static Path file(Path boot, long client) {
        return boot.resolve(String.format(NAME, client));
    }

    /** Listens. Until that works the socket has another name, so that no connection is ever refused by mistake. */
    ServerSocketChannel listen() throws IOException {
        String building = String.format("%016x.new", client);
        Files.deleteIfExists(boot.resolve(building));
        if (!refusalTells) {
            Path process = boot.resolve(String.format(PROCESS, client));
            Files.writeString(process, Long.toString(ProcessHandle.current().pid()));
            access.give(process, "rw-r-----");
        }
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(address(building), BACKLOG);
            server.configureBlocking(false);
            access.give(boot.resolve(building), "rw-rw----");
            Files.move(boot.resolve(building), file(boot, client), StandardCopyOption.ATOMIC_MOVE);
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    boolean isThere() {
        return Files.exists(file(boot, client), LinkOption.NOFOLLOW_LINKS);
    }

    /** Connects a channel that does not block to another client. */
    Outcome connect(SocketChannel channel, long to) {
        try {
            return channel.connect(address(String.format(NAME, to))) ? Outcome.CONNECTED : Outcome.BUSY;
        } catch (ConnectException e) {
            // Also what is no socket refuses connections.
            if (!isSocket(to)) {
                return Outcome.MISSING;
            }
            return refusalTells || isGone(to) ? Outcome.REFUSED : Outcome.BUSY;
        } catch (SocketException e) {
            return Files.exists(file(boot, to)) ? Outcome.BUSY : Outcome.MISSING;
        } catch (IOException e) {
            return Outcome.BUSY;
        }
    }

    private boolean isSocket(long of) {
        try {
            return Files.readAttributes(file(boot, of), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether no process has the number that stands beside a client's socket. */
    private boolean isGone(long of) {
        try {
            String number = Files.readString(boot.resolve(String.format(PROCESS, of)));
            return ProcessHandle.of(Long.parseLong(number)).isEmpty();
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    /** Returns whether a client's process has ended for certain, or has closed its store. */
    boolean isDead(long of) throws IOException {
        return probe(of) == Outcome.REFUSED;
    }

    /** Tries to connect to a client, without keeping the connection. */
    Outcome probe(long of) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            return connect(channel, of);
        }
    }

    void delete() {
        try (var held = aliasing.hold()) {
            Files.deleteIfExists(file(boot, client));
            if (alias != null) {
                alias.delete();
                alias = null;
            }
        } catch (IOException e) {
            FileLog.LOG.debug("could not delete a socket: {}", e.toString());
        }
    }
}
