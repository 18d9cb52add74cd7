package io.belay.etcd;

import io.belay.server.TlsRefusal;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a connection is secured; the files are PEM.
 *
 * @param ca the file of certificates to trust; null for those that the JVM trusts
 * @param cert the file of the client's own certificate, if it has one
 * @param key the file of its key
 */
record Tls(
        @Nullable String ca,
        @Nullable String cert,
        @Nullable String key) {
    /**
     * Reads the files, and again for each connection.
     *
     * @throws StoreException if one is not what it should be
     */
    void addTo(ClientBuilder builder) {
        builder.sslContext(new RenewedContext(this::read));
    }

    private SslContext read() {
        SslContextBuilder context = GrpcSslContexts.forClient();
        if (ca != null) {
            File file = readable("ca", ca);
            load(
                    () -> context.trustManager(file),
                    "The file " + ca + ", which 'ca' names, holds no certificate in PEM");
        }
        if (cert != null && key != null) {
            File certificate = readable("cert", cert);
            File own = readable("key", key);
            load(
                    () -> context.keyManager(certificate, own),
                    "The files " + cert + " and " + key + ", which 'cert' and 'key' name, are not a certificate in PEM"
                            + " and its key in PKCS#8 without a password, as openssl pkcs8 -topk8 -nocrypt makes it");
        }
        try {
            return context.build();
        } catch (SSLException e) {
            throw StoreException.unusable("The files that 'ca', 'cert' and 'key' name cannot be used: " + e, e);
        }
    }

    private static File readable(String parameter, String name) {
        File file = new File(name);
        if (!file.isFile() || !file.canRead()) {
            throw StoreException.unusable(
                    "The file " + name + ", which '" + parameter + "' names, does not exist or cannot be read", null);
        }
        return file;
    }

    private static void load(Runnable reading, String complaint) {
        try {
            reading.run();
        } catch (IllegalArgumentException e) {
            throw StoreException.unusable(complaint, e);
        }
    }

    /** Explains a handshake that failed, by its reason. */
    String explain(String reason) {
        return new TlsRefusal(ca, "write etcd://", "", TlsRefusal.own(cert)).words(reason);
    }

    /** Returns what it may mean that a connection was closed without a word. */
    String hint() {
        return "; " + TlsRefusal.own(cert) + "; if it does not speak TLS there, write etcd://";
    }
}
