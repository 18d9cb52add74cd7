package io.belay.servers;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
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

    /** Refuses the read concerns that a real server refuses, where mongo-java-server takes any. */
    private static final class Strict extends MemoryBackend {
        @Override
        public Document handleMessage(MongoMessage message) {
            Document command = message.getDocument();
            Object level = command.get("readConcern") instanceof Document concern ? concern.get("level") : null;
            if ("linearizable".equals(level)) { // as the answer to "hello" says that the server stands alone
                throw new MongoServerError(
                        123, "NotAReplicaSet", "node needs to be a replica set member to use read concern");
            }
            boolean changes = String.valueOf(command.get("pipeline")).contains("$changeStream");
            if (changes && level != null && !level.equals("majority")) {
                throw new MongoServerError(
                        72,
                        "InvalidOptions",
                        "Aggregation stage $changeStream cannot run with a readConcern other than 'majority'");
            }
            return super.handleMessage(message);
        }
    }

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        MongoServer server = new MongoServer(new Strict());
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
