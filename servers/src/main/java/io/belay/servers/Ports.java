package io.belay.servers;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ports nobody listens on. They lie below those that the system gives to clients (from 32768 on Linux, from 49152
 * elsewhere): while a server is down its port is nobody's, and a client that tries it again and again would some day be
 * given the very same port, connect to itself, and keep the server from coming back.
 *
 * <p>Nor is it another server's meanwhile, to which its clients would come: each JVM takes ports of its own, one after the other.
 */
final class Ports {
    static final String HOST = "127.0.0.1";

    private static final int LOWEST = 15_000;
    private static final int CLUSTER_BUS = 10_000;
    private static final int SLICE = 250;
    private static final int SLICES = 28;
    private static final int ATTEMPTS = 100;

    /** Of the ports of one JVM. What is not referred to is closed, and its lock with it. */
    private record Slice(int number, @Nullable FileLock lock) {}

    private static final Slice OWN = ownSlice();
    private static final AtomicInteger TAKEN = new AtomicInteger();

    private Ports() {}

    /** Returns a slice that no other JVM has while this one lives, or of any if all are taken. */
    private static Slice ownSlice() {
        int first = ThreadLocalRandom.current().nextInt(SLICES);
        for (int i = 0; i < SLICES; i++) {
            int slice = (first + i) % SLICES;
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "belay-port-slice-" + slice);
            try {
                FileLock lock = open(file).tryLock();
                if (lock != null) {
                    return new Slice(slice, lock); // until the JVM ends
                }
            } catch (IOException | OverlappingFileLockException e) {
                // Another class loader's, or another user's who may not share it.
            }
        }
        return new Slice(first, null);
    }

    /** Opens a file that all users lock: what another one has made in this directory none may open as one to be made. */
    static FileChannel open(Path file) throws IOException {
        try {
            Files.createFile(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-")); // whatever the umask
        } catch (FileAlreadyExistsException e) {
            // As mostly.
        }
        return FileChannel.open(file, WRITE);
    }

    private static int next() {
        return LOWEST + SLICE * OWN.number + TAKEN.getAndIncrement() % SLICE;
    }

    /** A port that was free a moment ago. Another process may be faster. */
    static int free() {
        try (ServerSocket socket = listen()) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port for a node of a cluster: the nodes talk on the port 10,000 above it, and that is free, too. */
    static int freeForCluster() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = next();
            try (ServerSocket clients = listen(port);
                    ServerSocket bus = listen(port + CLUSTER_BUS)) {
                return clients.getLocalPort();
            } catch (IOException e) {
                // Taken, at least one of them.
            }
        }
        throw new IllegalStateException("no two free ports in " + ATTEMPTS + " attempts");
    }

    /** Listens on a free port. */
    static ServerSocket listen() throws IOException {
        BindException taken = new BindException("no free port in " + ATTEMPTS + " attempts");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return listen(next());
            } catch (BindException e) {
                taken.addSuppressed(e);
            }
        }
        throw taken;
    }

    /**
     * Listens on a port again that was listened on a moment ago. A process that this one is starting has all its descriptors until it
     * has closed them, and keeps the port for as long.
     */
    static ServerSocket listenAgain(int port) throws IOException {
        long end = System.nanoTime() + Pace.patience().toNanos();
        while (true) {
            try {
                return listen(port);
            } catch (BindException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    /** Listens on this very port. */
    static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            // Connections that have just ended do not keep the port.
            socket.setReuseAddress(true);
            socket.bind(address(port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    static InetSocketAddress address(int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(HOST, new byte[] {127, 0, 0, 1}), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
