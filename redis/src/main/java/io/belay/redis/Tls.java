package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is secured.
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

    /** Adds what is set here to options that an application may have set up already. */
    void apply(ClientOptions.Builder options) {
        if (ca == null && certificate == null) {
            return;
        }
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        if (ca != null) {
            ssl.trustManager(readable("ca", ca).toFile());
        }
        if (certificate != null && key != null) {
            ssl.keyManager(
                    readable("cert", certificate).toFile(), readable("key", key).toFile(), new char[0]);
        }
        options.sslOptions(ssl.build());
    }

    private static Path readable(String parameter, Path file) {
        if (!Files.isReadable(file)) {
            throw StoreException.unusable(
                    "The file " + file + ", which '" + parameter + "' names, does not exist or cannot be read", null);
        }
        return file;
    }
}
