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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
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

    /** The time after which the next server is asked as well, while the one before may yet answer. */
    private static final int NEXT_MILLIS = 250;

    /** The time that it may take beyond that to tell why a server was not reached in time. */
    private static final int GRACE_MILLIS = 100;

    /** The first byte of a record of TLS that says that the connection ends. */
    private static final int ALERT = 0x15;

    private final Settings settings;
    private final @Nullable SSLContext context;
    private final boolean question;
    private final long deadline;
    private final ThreadFactory threads;

    private Probe(Settings settings, boolean question, long deadline, ThreadFactory threads) {
        this.settings = settings;
        this.question = question;
        this.deadline = deadline;
        this.threads = threads;
        context = settings.tls() == null ? null : settings.tls().context(settings.config());
    }

    /**
     * Connects, and by TLS lets each side see whether it trusts the other. Returns when one has answered, or may yet.
     *
     * @param deadline until when, as a {@link System#nanoTime()}
     * @param threads one for each server that is asked
     * @throws StoreException if none has
     */
    static void of(Settings settings, long deadline, ThreadFactory threads) {
        new Probe(settings, settings.tls() != null, deadline, threads).all();
    }

    /**
     * Asks why there is no session: a server that hangs up takes what was said for something else.
     *
     * @param deadline until when, as a {@link System#nanoTime()}
     * @param threads one for each server that is asked
     * @throws StoreException if all do
     */
    static void question(Settings settings, long deadline, ThreadFactory threads) {
        new Probe(settings, true, deadline, threads).all();
    }

    /** Returns how many milliseconds are left until an instant; 0 once it is over. */
    static long millisUntil(long deadline) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }

    /**
     * The end of the question to a server.
     *
     * @param failure why there is no answer; null if there is one, or may yet be
     */
    private record Outcome(@Nullable Throwable failure) {}

    /** Asks one server after the other, without waiting for long for those whose machines may be off. */
    private void all() {
        String[] hosts = settings.hosts().split(",");
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        StoreException failure = null;
        int asked = 0;
        int forGood = 0;
        for (int told = 0; told < hosts.length; ) {
            if (asked < hosts.length) {
                begin(hosts[asked++], outcomes);
            }
            boolean last = asked == hosts.length;
            long left = millisUntil(deadline);
            Outcome outcome = await(
                    outcomes, last ? left + GRACE_MILLIS : Math.min(NEXT_MILLIS, left / (hosts.length - asked + 1)));
            Throwable why = outcome == null ? null : outcome.failure;
            if (outcome != null && why == null) {
                return;
            } else if (why != null) {
                StoreException said = explain(why);
                // What a server has said tells more than the silence of another one.
                failure = failure == null || why instanceof StoreException || why instanceof SSLException
                        ? said
                        : failure;
                forGood += said.isTemporary() ? 0 : 1;
                told++;
            } else if (last) {
                break;
            }
        }
        if (failure == null) {
            throw unreachable("it takes no connection");
        }
        // Another one may be in order that is away just now.
        throw forGood == hosts.length ? failure : StoreException.unreachable(said(failure), null);
    }

    private void begin(String host, BlockingQueue<Outcome> outcomes) {
        Thread thread = threads.newThread(() -> {
            try {
                ask(host);
                outcomes.add(new Outcome(null));
            } catch (Throwable e) { // who asked waits for it
                outcomes.add(new Outcome(e));
            }
        });
        thread.setName("belay-zookeeper-probe");
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable Outcome await(BlockingQueue<Outcome> outcomes, long millis) {
        try {
            return outcomes.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("this thread was interrupted");
        }
    }

    private StoreException unreachable(String why) {
        return StoreException.unreachable(
                settings.line("cannot be reached: " + why + "; is it running, and is the URL right?"), null);
    }

    /** Returns what it says, or what it is: a time-out may say nothing. */
    private static String said(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    private StoreException explain(Throwable failure) {
        if (failure instanceof StoreException said) {
            return said;
        } else if (failure instanceof SSLException e) {
            return explain(e);
        } else if (failure instanceof IOException) {
            return unreachable(said(failure));
        }
        return StoreException.unusable(settings.line("failed: " + failure), failure);
    }

    private StoreException explain(SSLException e) {
        Throwable last = e;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return settings.tls() == null
                ? StoreException.unusable(settings.line("failed: " + last.getMessage()), null)
                : settings.tls().explain(last, settings::line);
    }

    private void ask(String host) throws IOException {
        int patience = (int) Math.max(1, Math.min(millisUntil(deadline), PATIENCE_MILLIS)); // 0 is for ever
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
        try (SSLSocket secure = secured(socket, tls, name)) {
            shakeHands(secure);
            ask(secure);
        } catch (SocketTimeoutException e) {
            // It may be busy; a session is waited for longer.
        }
    }

    /** Puts TLS upon a connection, by which the server has to show a certificate for that name. */
    static SSLSocket secured(Socket socket, SSLContext tls, String name) throws IOException {
        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, name, socket.getPort(), true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        return secure;
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
                                    ? "if it speaks TLS there, write zookeepers://; else it may have as many"
                                            + " connections from this host as it takes (maxClientCnxns)"
                                    : settings.tls().hint())),
                    null);
        }
    }
}
