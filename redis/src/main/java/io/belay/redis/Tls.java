package io.belay.redis;

import io.belay.server.TlsRefusal;
import io.belay.spi.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a connection is secured.
 *
 * @param verify what of the server's certificate is checked
 * @param ca the PEM file of certificates to trust; null for the JVM's own
 * @param certificate the PEM file of the client's certificate, if it has one
 * @param key the PEM file of its key
 */
record Tls(
        SslVerifyMode verify,
        @Nullable Path ca,
        @Nullable Path certificate,
        @Nullable Path key) {
    static final Tls DEFAULT = new Tls(SslVerifyMode.FULL, null, null, null);

    Tls withVerify(SslVerifyMode mode) {
        return new Tls(mode, ca, certificate, key);
    }

    Tls withCa(Path file) {
        return new Tls(verify, file, certificate, key);
    }

    Tls withCertificate(@Nullable Path certificateFile, @Nullable Path keyFile) {
        return new Tls(verify, ca, certificateFile, keyFile);
    }

    /**
     * Adds what is set here to options that an application may have set up already.
     *
     * @throws StoreException if a file is not what it should be
     */
    void apply(ClientOptions.Builder options) {
        if (ca == null && certificate == null) {
            return;
        }
        check();
        SslOptions.Builder ssl = options.build().getSslOptions().mutate();
        if (ca != null) {
            ssl.trustManager(ca.toFile());
        }
        if (certificate != null && key != null) {
            ssl.keyManager(certificate.toFile(), key.toFile(), new char[0]);
        }
        options.sslOptions(ssl.build());
    }

    /**
     * Looks at the files, which each connection reads anew: they may be replaced.
     *
     * @throws StoreException if one is not what it should be
     */
    void check() {
        if (ca != null) {
            check(
                    SslOptions.builder().trustManager(readable("ca", ca).toFile()),
                    "The file " + ca + ", which 'ca' names, holds no certificate in PEM");
        }
        if (certificate != null && key != null) {
            File certificateFile = readable("cert", certificate).toFile();
            check(
                    SslOptions.builder()
                            .keyManager(certificateFile, readable("key", key).toFile(), new char[0]),
                    "The files " + certificate + " and " + key + ", which 'cert' and 'key' name, are not a certificate"
                            + " in PEM and its key in PKCS#8 without a password");
        }
    }

    private static Path readable(String parameter, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw StoreException.unusable(
                    "The file " + file + ", which '" + parameter + "' names, does not exist or cannot be read", null);
        }
        return file;
    }

    private static void check(SslOptions.Builder ssl, String complaint) {
        try {
            ssl.build().createSslContextBuilder().build();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw StoreException.unusable(complaint, e);
        }
    }

    /** Explains a handshake that failed, by its reason. */
    String explain(String reason) {
        return new TlsRefusal(ca, "write redis://", ", or write verify=ca", TlsRefusal.own(certificate)).words(reason);
    }
}
