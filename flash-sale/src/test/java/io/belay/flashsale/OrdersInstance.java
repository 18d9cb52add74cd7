package io.belay.flashsale;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A running instance of the application in {@code examples/spring-boot-orders}, as its jar starts. */
final class OrdersInstance implements AutoCloseable {
    /** What the build has made of the example. */
    static final Path JAR = Path.of("..", "examples", "spring-boot-orders", "target", "orders.jar");

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** The next port to try, below those that the system gives to clients and those of {@code belay-servers}. */
    private static int nextPort = ThreadLocalRandom.current().nextInt(11_000, 14_000);

    private final int port;
    private final Process process;

    private OrdersInstance(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket free = new ServerSocket(nextPort++, 1, InetAddress.getByName("127.0.0.1"))) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Taken.
            }
        }
    }

    static OrdersInstance start(String database, Path log, boolean aheadOfTime) throws IOException {
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // It lives for a minute at most: what it would spend on better code it would not get back.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dspring.aot.enabled=" + aheadOfTime,
                "-jar",
                JAR.toString(),
                "--server.address=127.0.0.1",
                "--server.port=" + port);
        builder.environment().put("SPRING_DATASOURCE_URL", database);
        // Shorter than usual, so that a test need not wait for long.
        builder.environment().put("BELAY_LOCK_LEASE", "3s");
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        return new OrdersInstance(port, builder.start());
    }

    /** Waits until it answers. */
    void awaitStart() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (true) {
            try {
                post("/orders/nothing");
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    /** Waits for longer than an instance is stopped: an order that nobody waits for may be sold all the same. */
    HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(60))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a signal to the process. */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
