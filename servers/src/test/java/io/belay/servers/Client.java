package io.belay.servers;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A client of a server or proxy that does what a test says, and nothing on its own. */
final class Client implements AutoCloseable {
    final Socket socket;
    private final RespFrames frames = new RespFrames();
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    Client(Socket socket) throws IOException {
        this.socket = socket;
        isPatient();
    }

    /** Waits for what must come. */
    void isPatient() throws IOException {
        socket.setSoTimeout((int) Pace.patience().toMillis());
    }

    static Client to(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(Ports.address(port));
        return new Client(socket);
    }

    void send(String... words) throws IOException {
        socket.getOutputStream().write(RespText.command(words));
    }

    /** The values of the next reply or push. */
    List<String> read() throws IOException {
        byte[] bytes = new byte[1024];
        while (waiting.isEmpty()) {
            int length = socket.getInputStream().read(bytes);
            if (length < 0) {
                throw new EOFException();
            }
            waiting.addAll(frames.split(bytes, length));
        }
        return RespText.values(waiting.remove());
    }

    List<String> call(String... words) throws IOException {
        send(words);
        return read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
