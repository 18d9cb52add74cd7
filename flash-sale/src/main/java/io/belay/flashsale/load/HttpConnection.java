package io.belay.flashsale.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to one server: HTTP/1.1, kept alive, reconnected when the server has closed it. The JDK's own
 * client would cost more than the shop that it is to measure. Belongs to one thread.
 */
public final class HttpConnection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;
    // Well below what the servers allow: a request on a connection that is just being closed is lost without a trace.
    private static final long LONGEST_IDLE_NANOS = 10_000_000_000L;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-9]\\d\\d( .*)?");
    private static final int LONGEST_LINE = 8_192;
    private static final int LONGEST_BODY = 1 << 20;

    private final InetSocketAddress server;
    private final int answerMillis;
    private @Nullable Socket socket;
    private @Nullable InputStream in;
    private long lastUsed;

    public HttpConnection(InetSocketAddress server, int answerMillis) {
        this.server = server;
        this.answerMillis = answerMillis;
    }

    /**
     * Sends a request without a body and waits for the answer.
     *
     * @throws NotSentException if the server has not seen the request
     * @throws IOException if the request was sent and not answered in time or in HTTP: what the server did is not
     *     known
     */
    public HttpAnswer send(String method, String path) throws IOException {
        if (socket != null && System.nanoTime() - lastUsed > LONGEST_IDLE_NANOS) {
            close();
        }
        write(method + " " + path + " HTTP/1.1\r\nHost: " + server.getHostString() + ":" + server.getPort()
                + "\r\nContent-Length: 0\r\n\r\n");
        try {
            return read();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void write(String request) throws NotSentException {
        try {
            if (socket == null) {
                Socket connected = new Socket();
                socket = connected;
                connected.setTcpNoDelay(true);
                connected.connect(server, CONNECT_MILLIS);
                connected.setSoTimeout(answerMillis);
                in = new BufferedInputStream(connected.getInputStream(), 2_048);
            }
            // One small write: the system takes all of it or refuses it.
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            close();
            throw new NotSentException(e);
        }
    }

    /** Reads an answer. Once its status has come, the outcome is known: a later failure costs the connection only. */
    private HttpAnswer read() throws IOException {
        InputStream from = in;
        if (from == null) {
            throw new EOFException();
        }
        int status = status(line(from));
        Head head = new Head();
        byte[] body = new byte[0];
        try {
            head.read(from);
            body = head.chunked ? chunks(from) : bytes(from, head.length);
        } catch (IOException e) {
            head.close = true;
        }
        lastUsed = System.nanoTime();
        if (head.close) {
            close();
        }
        return new HttpAnswer(status, head.retryAfter, new String(body, StandardCharsets.UTF_8));
    }

    private static int status(String line) throws IOException {
        if (!STATUS.matcher(line).matches()) {
            throw new IOException("not HTTP");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    /** The fields of an answer that matter here. */
    private static final class Head {
        private int length = -1;
        private int retryAfter;
        private boolean chunked;
        private boolean close;

        private void read(InputStream from) throws IOException {
            for (String line = line(from); !line.isEmpty(); line = line(from)) {
                int colon = line.indexOf(':');
                String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
                String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
                switch (name) {
                    case "content-length" -> length = number(value, 10);
                    case "retry-after" -> retryAfter = number(value, 10);
                    case "transfer-encoding" -> chunked = value.equals("chunked");
                    case "connection" -> close = value.equals("close");
                    default -> {}
                }
            }
            // Its end is then the connection's.
            close |= length < 0 && !chunked;
        }
    }

    private static byte[] chunks(InputStream from) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line(from);
            int length = number(size.split(";", 2)[0].strip(), 16);
            if (length == 0) {
                while (!line(from).isEmpty()) {
                    // Fields after the body say nothing that is needed.
                }
                return body.toByteArray();
            }
            body.write(bytes(from, length));
            line(from);
            if (body.size() > LONGEST_BODY) {
                throw new IOException("the body is too long");
            }
        }
    }

    private static byte[] bytes(InputStream from, int length) throws IOException {
        if (length > LONGEST_BODY) {
            throw new IOException("the body is too long");
        }
        byte[] body = from.readNBytes(length < 0 ? LONGEST_BODY : length);
        if (length >= 0 && body.length < length) {
            throw new EOFException();
        }
        return body;
    }

    private static String line(InputStream from) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = from.read(); c != '\n'; c = from.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("a line is too long");
            }
            line.append((char) c);
        }
        int end = line.length() - 1;
        return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
    }

    private static int number(String text, int radix) throws IOException {
        try {
            int number = Integer.parseInt(text, radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As wrong as a negative one.
        }
        throw new IOException("not a number");
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is of no use in any case.
            }
        }
    }
}
