package io.belay.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** Helpers of the proxy for sockets and the threads that serve them. */
final class Sockets {
    interface Task {
        void run() throws IOException, InterruptedException;
    }

    private Sockets() {}

    /** Makes a thread, not yet started, that ends when its socket is closed or when it is interrupted. */
    static Thread daemon(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException e) {
                        // That is how it ends.
                    }
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    /** Reads; a connection that fails has ended like one that was closed. */
    static int read(InputStream in, byte[] bytes) {
        try {
            return in.read(bytes);
        } catch (IOException e) {
            return -1;
        }
    }

    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
