package io.belay.zookeeper;

import io.belay.spi.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a server that talks to this client. ZooKeeper's own client would go on to try for as long as it may, and
 * only log why it fails; a user who mistyped a host or a file wants to know now.
 */
final class Probe {
    /** The time that a server may take to accept a connection, and to answer. */
    private static final int PATIENCE_MILLIS = 2_000;

    /** The first byte of a record of TLS that says that the connection ends. */
    private static final int ALERT = 0x15;

    private final Settings settings;
    private final @Nullable SSLContext context;
    private final boolean question;
    private final int patience;

    private Probe(Settings settings, boolean question) {
        this.settings = settings;
        this.question = question;
        context = settings.tls() == null ? null : settings.tls().context(settings.config());
        patience = (int) Math.min(settings.connectTimeout().toMillis(), PATIENCE_MILLIS);
    }

    /**
     * Connects, and by TLS lets each side see whether it trusts the other. Returns when one has answered, or may yet.
     *
     * @throws StoreException if none has
     */
    static void of(Settings settings) {
        new Probe(settings, settings.tls() != null).all();
    }

    /**
     * Asks why there is no session: a server that hangs up takes what was said for something else.
     *
     * @throws StoreException if all do
     */
    static void question(Settings settings) {
        new Probe(settings, true).all();
    }

    private void all() {
        StoreException failure = null;
        for (String host : settings.hosts().split(",")) {
            try {
                ask(host);
                return;
            } catch (SSLException e) {
                failure = explain(e);
            } catch (IOException e) {
                String reason = "cannot be reached: " + e.getMessage() + "; is it running, and is the URL right?";
                // What a server has said tells more than the silence of another one.
                failure = failure == null ? StoreException.unreachable(settings.line(reason), null) : failure;
            } catch (StoreException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private StoreException explain(SSLException e) {
        Throwable last = e;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String reason = String.valueOf(last.getMessage());
        return StoreException.unusable(
                settings.line(
                        settings.tls() == null
                                ? "failed: " + reason
                                : settings.tls().explain(reason)),
                null);
    }

    private void ask(String host) throws IOException {
        try (Socket socket = connect(host, patience)) {
            socket.setSoTimeout(patience);
            if (context != null) {
                ask(socket, context, host.substring(0, host.lastIndexOf(':')));
            } else if (question) {
                ask(socket);
            }
        }
    }

    /** Connects to the first of a host's addresses that takes it, as sessions try them all. */
    static Socket connect(String host, int patience) throws IOException {
        int colon = host.lastIndexOf(':');
        String name = host.substring(0, colon);
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(name);
        } catch (UnknownHostException e) {
            throw new UnknownHostException("the host name " + name + " is not known");
        }
        return connect(addresses, Integer.parseInt(host.substring(colon + 1)), patience);
    }

    static Socket connect(InetAddress[] addresses, int port, int patience) throws IOException {
        for (int i = 0; ; i++) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(addresses[i], port), patience);
                return socket;
            } catch (IOException e) {
                socket.close();
                if (i == addresses.length - 1) {
                    throw e;
                }
            }
        }
    }

    private void ask(Socket socket, SSLContext tls, String name) throws IOException {
        try (SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, name, socket.getPort(), true)) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            shakeHands(secure);
            ask(secure);
        } catch (SocketTimeoutException e) {
            // It may be busy; a session is waited for longer.
        }
    }

    private static void shakeHands(SSLSocket socket) throws IOException {
        try {
            socket.startHandshake();
        } catch (SocketException e) {
            // It was reached, so it is what was said that it did not like.
            throw new SSLException(e);
        }
    }

    /**
     * Sends a four-letter word, which every server answers, if only that it may not. By TLS 1.3 the answer shows
     * whether the server trusts this client; five bytes are what a server that speaks TLS must see to know that this
     * is none.
     */
    private void ask(Socket socket) throws IOException {
        int first;
        try {
            socket.getOutputStream().write("ruok\n".getBytes(StandardCharsets.US_ASCII));
            first = socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            return; // it may be busy; a session is waited for longer
        } catch (SSLException e) {
            throw e;
        } catch (IOException e) {
            first = -1;
        }
        if (first == ALERT || first < 0) {
            throw StoreException.unreachable(
                    settings.line("accepts connections and closes them without an answer: "
                            + (settings.tls() == null
                                    ? "if it speaks TLS there, write zookeepers://; else it may have as many connections"
                                            + " from this host as it takes (maxClientCnxns)"
                                    : settings.tls().hint())),
                    null);
        }
    }
}
