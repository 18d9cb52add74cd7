package io.belay.servers;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** The program of a {@link io.belay.servers.MongoServer}'s JVM. It ends with its input, and so with its starter. */
final class MongoProgram {
    private MongoProgram() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        MongoServer server = new MongoServer(new MemoryBackend());
        // Change streams read it.
        server.enableOplog();
        if (arguments.length > 1) {
            server.enableSsl(key(Path.of(arguments[1])), "", certificate(Path.of(arguments[2])));
        }
        server.bind(Ports.HOST, Integer.parseInt(arguments[0]));
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        System.exit(0);
    }

    /** Reads a key in PEM; what it is for is tried out. */
    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(encoded);
        } catch (InvalidKeySpecException e) {
            return KeyFactory.getInstance("EC").generatePrivate(encoded);
        }
    }

    private static X509Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
        }
    }
}
