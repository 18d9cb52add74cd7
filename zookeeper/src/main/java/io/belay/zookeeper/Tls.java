package io.belay.zookeeper;

import io.belay.server.TlsRefusal;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;
import org.jspecify.annotations.Nullable;

/**
 * The way in which TLS is used; the files are PEM.
 *
 * @param ca the file with the certificates that are trusted; null for those that the JVM trusts
 * @param certificate the file with the client's own certificate and its key; null for none
 */
record Tls(@Nullable String ca, @Nullable String certificate) {
    private static final String PEM = "PEM";

    /** The reasons that the JVM gives of a peer that hangs up in between. */
    private static final Pattern HUNG_UP = Pattern.compile("shut down incorrectly|close_notify during handshake");

    void addTo(ZKClientConfig config) {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        // The only one of ZooKeeper's two kinds of sockets that speaks TLS.
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        if (ca != null) {
            config.setProperty("zookeeper.ssl.trustStore.location", ca);
            config.setProperty("zookeeper.ssl.trustStore.type", PEM);
        }
        if (certificate != null) {
            config.setProperty("zookeeper.ssl.keyStore.location", certificate);
            config.setProperty("zookeeper.ssl.keyStore.type", PEM);
        }
    }

    /**
     * Makes the TLS context that ZooKeeper's client makes of the files, which would only log that it cannot.
     *
     * @throws StoreException if one is not what it should be
     */
    SSLContext context(ZKClientConfig config) {
        if (ca != null) {
            check(
                    () -> X509Util.loadTrustStore(ca, "", PEM),
                    "The file " + ca + ", which 'ca' names, holds no certificate in PEM");
        }
        if (certificate != null) {
            check(
                    () -> X509Util.loadKeyStore(certificate, "", PEM),
                    "The file " + certificate
                            + ", which 'cert' names, does not hold a certificate in PEM and its key in"
                            + " PKCS#8 without a password, one behind the other");
        }
        try (ClientX509Util files = new ClientX509Util()) {
            return files.createSSLContext(config);
        } catch (X509Exception e) {
            throw StoreException.unusable("The files that 'ca' and 'cert' name cannot be used: " + e, e);
        }
    }

    private interface Loader {
        KeyStore load() throws IOException, GeneralSecurityException;
    }

    private static void check(Loader loader, String complaint) {
        try {
            if (loader.load().size() > 0) {
                return;
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw StoreException.unusable(complaint, e);
        }
        throw StoreException.unusable(complaint, null);
    }

    /**
     * Explains a handshake that failed. That of a server that hangs up may pass: one that has no room does so before any word.
     *
     * @param cause what it failed by; where the system says it, as of a socket, in whichever language
     * @param server what puts the server's name before what is wrong with it
     */
    StoreException explain(Throwable cause, UnaryOperator<String> server) {
        String reason = String.valueOf(cause.getMessage());
        TlsRefusal refusal = new TlsRefusal(ca, "write zookeeper://, or name the port that does", "", hint());
        return cause instanceof SocketException || HUNG_UP.matcher(reason).find()
                ? StoreException.unreachable(
                        server.apply(
                                "breaks off the TLS handshake: it may have as many connections from this host as it"
                                        + " takes (maxClientCnxns); " + hint()
                                        + "; if it does not speak TLS there, write"
                                        + " zookeeper://, or name the port that does (" + reason + ")"),
                        null)
                : StoreException.unusable(server.apply(refusal.words(reason)), null);
    }

    /** Returns what to do about a server that does not want to talk to this client. */
    String hint() {
        return certificate == null
                ? "if it asks for a certificate of this client, name the file by cert="
                : "check the certificate and key in the file that cert= names";
    }
}
