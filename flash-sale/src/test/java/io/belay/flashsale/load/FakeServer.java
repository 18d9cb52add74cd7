package io.belay.flashsale.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Speaks HTTP, or does not, as a test wants it. */
public final class FakeServer implements AutoCloseable {
    public static final String CREATED = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";
    static final String SOLD_OUT =
            "HTTP/1.1 409 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n1;x=y\r\n!\r\n0\r\n\r\n";

    /** Answers the request of a number, from 0; null closes the connection. */
    public interface Script {
        String answer(int request) throws Exception;
    }

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Script script;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    public FakeServer(Script script) throws IOException {
        this.script = script;
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    public Server server(String name) {
        return new Server(name, address());
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    int requests() {
        return requests.get();
    }

    int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                connections.incrementAndGet();
                start(() -> serve(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    String answer = script.answer(requests.getAndIncrement());
                    if (answer == null) {
                        return;
                    }
                    out.write(answer.getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    if (!answer.startsWith("HTTP/1.1") || answer.contains("Connection: close")) {
                        return;
                    }
                }
            }
        } catch (Exception e) {
            // The client sees it.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
