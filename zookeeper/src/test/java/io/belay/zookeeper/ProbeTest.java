package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProbeTest {
    /** As those of a name, of which one is a member that is down. Nobody listens at the first. */
    @Test
    void allAddressesOfANameAreTried() throws Exception {
        InetAddress down = InetAddress.getByName("127.0.0.2");
        InetAddress up = InetAddress.getByName("127.0.0.1");
        try (ServerSocket listener = new ServerSocket(0, 1, up)) {
            int port = listener.getLocalPort();
            try (Socket socket = Probe.connect(new InetAddress[] {down, up}, port, 2_000)) {
                assertThat(socket.getInetAddress()).isEqualTo(up);
            }
            assertThatThrownBy(() -> Probe.connect(new InetAddress[] {down, down}, port, 2_000))
                    .isInstanceOf(ConnectException.class);
        }
    }

    /** As machines that are off. */
    @Test
    void whereNoneTakesAConnectionThatIsToldInTime() throws Exception {
        Premise.withLease(Duration.ofSeconds(1), ProbeTest::isToldWithin);
    }

    private static void isToldWithin(Duration timeout) throws Exception {
        try (Deaf a = new Deaf();
                Deaf b = new Deaf();
                Deaf c = new Deaf();
                Stalls stalls = Stalls.watch()) {
            String url = "zookeeper://" + a.address() + "," + b.address() + "," + c.address() + "?timeout="
                    + timeout.toSeconds() + "s";
            assertThatThrownBy(() -> Belay.connect(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot be reached");
            stalls.inTime(stalls.taken().compareTo(timeout.multipliedBy(2)) < 0, "told within the time");
        }
    }

    @Test
    void machinesThatAreOffKeepNobodyFromTheNextServer() throws Exception {
        Premise.withLease(Duration.ofMillis(1_500), ProbeTest::isReachedWithin);
    }

    private static void isReachedWithin(Duration time) throws Exception {
        try (Deaf a = new Deaf();
                Deaf b = new Deaf();
                ServerSocket up = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Stalls stalls = Stalls.watch()) {
            String url = "zookeeper://" + a.address() + "," + b.address() + ",127.0.0.1:" + up.getLocalPort();
            Probe.of(
                    new ZooKeeperUrl(url).parse(),
                    System.nanoTime() + Pace.patience().toNanos(),
                    Thread::new);
            stalls.inTime(stalls.taken().compareTo(time) < 0, "reached");
        }
    }

    @Test
    void whoeverIsInterruptedWhileItWaitsForASessionIsToldThat() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            Settings settings = new ZooKeeperUrl("zookeeper://127.0.0.1:" + silent.getLocalPort()).parse();
            CompletableFuture<Boolean> kept = new CompletableFuture<>();
            CompletableFuture<Connection> connected = new CompletableFuture<>();
            Thread connecting = new Thread(() -> {
                try {
                    connected.complete(Connection.open(settings, () -> {}));
                } catch (Throwable e) {
                    kept.complete(Thread.currentThread().isInterrupted());
                    connected.completeExceptionally(e);
                }
            });
            connecting.start();
            await().atMost(Pace.patience())
                    .until(() -> Stream.of(connecting.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(Connection.class.getName())
                                    && frame.getMethodName().equals("await")));
            connecting.interrupt();
            assertThat(connected)
                    .failsWithin(Pace.patience())
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("before this thread was interrupted");
            assertThat(kept).isCompletedWithValue(true);
        }
    }

    /** Else its session would be kept alive for nobody, by threads that are scarce already. */
    @Test
    void wantOfThreadsWhileItIsLookedWhyThereIsNoSessionEndsTheClient() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String host = "127.0.0.1:" + silent.getLocalPort();
            AtomicInteger begun = new AtomicInteger();
            assertThatThrownBy(() -> Connection.open(
                            new ZooKeeperUrl("zookeeper://" + host + "?timeout=1s").parse(), () -> {}, task -> {
                                if (begun.incrementAndGet() == 2) {
                                    throw new OutOfMemoryError("unable to create native thread");
                                }
                                return new Thread(task);
                            }))
                    .isInstanceOf(OutOfMemoryError.class);
            await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.contains(host)));
        }
    }

    /** An address that drops what asks for a connection, as those before fill its queue. */
    private static final class Deaf implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<Socket> queued = new ArrayList<>();

        Deaf() throws IOException {
            try {
                while (true) {
                    Socket socket = new Socket();
                    queued.add(socket);
                    socket.connect(listener.getLocalSocketAddress(), 200);
                }
            } catch (SocketTimeoutException e) {
                // Now it is full.
            }
        }

        String address() {
            return "127.0.0.1:" + listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }
}
