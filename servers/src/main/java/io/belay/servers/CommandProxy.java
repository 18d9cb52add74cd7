package io.belay.servers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy before a Redis server that puts other commands in place of those that clients send, and so makes another server of it:
 * one that refuses some, or that says to be something else. Each reply is the server's own, so they stay in order. Thread-safe.
 */
public final class CommandProxy implements AutoCloseable {
    /** A server's manner. Called by a thread for each connection. */
    @FunctionalInterface
    public interface Manner {
        /** Returns what the server is to have in place of a command. */
        Command instead(Command command) throws IOException, InterruptedException;
    }

    /**
     * A command.
     *
     * @param words its name and arguments
     */
    public record Command(List<byte[]> words) {
        public Command {
            words = List.copyOf(words);
        }

        /** Returns a command that makes the server reply that error. */
        public static Command error(String text) {
            return of("EVAL", "return redis.error_reply(ARGV[1])", "0", text);
        }

        /** Returns a command that makes the server reply that text. */
        public static Command text(String text) {
            return of("EVAL", "return ARGV[1]", "0", text);
        }

        public static Command of(String... words) {
            List<byte[]> bytes = new ArrayList<>();
            for (String word : words) {
                bytes.add(word.getBytes(StandardCharsets.UTF_8));
            }
            return new Command(bytes);
        }

        /** Returns a word as text, a character a byte; an empty one where there are not so many. */
        public String word(int index) {
            return index < words.size() ? new String(words.get(index), StandardCharsets.ISO_8859_1) : "";
        }

        /** Returns whether it has that name. */
        public boolean is(String name) {
            return word(0).equalsIgnoreCase(name);
        }

        /** Returns whether it runs a script. */
        public boolean isScript() {
            return is("EVAL") || is("EVALSHA");
        }
    }

    private final int serverPort;
    private final Manner manner;
    private final ServerSocket listener = Ports.listen();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private CommandProxy(int serverPort, Manner manner) throws IOException {
        this.serverPort = serverPort;
        this.manner = manner;
    }

    /** Starts a proxy before whatever Redis listens at that port, in clear. */
    public static CommandProxy to(int port, Manner manner) throws IOException {
        CommandProxy proxy = new CommandProxy(port, manner);
        Sockets.daemon("belay-manner", proxy::accept).start();
        return proxy;
    }

    /** Starts a proxy before a server. */
    public static CommandProxy to(RedisServer server, Manner manner) throws IOException {
        return to(server.port(), manner);
    }

    /** The port to connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** {@code redis://127.0.0.1:port}. */
    public String url() {
        return "redis://" + Ports.HOST + ":" + port();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket();
            try {
                server.connect(Ports.address(serverPort));
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                Sockets.daemon("belay-manner-in", () -> commands(client, server))
                        .start();
                Sockets.daemon("belay-manner-out", () -> replies(server, client))
                        .start();
            } catch (IOException e) {
                end(client, server);
            }
        }
    }

    private void commands(Socket client, Socket server) throws IOException, InterruptedException {
        try {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = new BufferedOutputStream(server.getOutputStream());
            while (true) {
                write(out, manner.instead(read(in)));
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } finally {
            end(client, server);
        }
    }

    private void replies(Socket server, Socket client) throws IOException {
        try {
            server.getInputStream().transferTo(client.getOutputStream());
        } finally {
            end(client, server);
        }
    }

    private void end(Socket client, Socket server) {
        open.remove(client);
        open.remove(server);
        Sockets.close(client);
        Sockets.close(server);
    }

    private static Command read(InputStream in) throws IOException {
        int count = number(in, '*');
        List<byte[]> words = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] word = in.readNBytes(number(in, '$'));
            in.readNBytes(2);
            words.add(word);
        }
        return new Command(words);
    }

    private static int number(InputStream in, char type) throws IOException {
        if (in.read() != type) {
            throw new EOFException("the end, or no command");
        }
        StringBuilder digits = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            digits.append((char) c);
        }
        in.read();
        return Integer.parseInt(digits.toString());
    }

    static void write(OutputStream out, Command command) throws IOException {
        out.write(("*" + command.words().size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : command.words()) {
            out.write(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(word);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Closes all connections, and accepts no more. */
    @Override
    public void close() {
        Sockets.close(listener);
        open.forEach(Sockets::close);
    }
}
