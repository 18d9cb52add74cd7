package io.belay.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The files that TLS needs, as PEM in a temporary directory: an authority, a server's certificate for 127.0.0.1
 * and localhost, a client's certificate, and an authority that has signed neither. They are valid from yesterday
 * for a year.
 *
 * <p>The JDK's keytool makes the keys and certificates. It does not write private keys as PEM, so this class reads
 * them from keytool's key store.
 */
public final class Certificates implements AutoCloseable {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    /** The number of days for which the certificates are valid, from two days ago on. */
    private final int days;

    private Certificates(Path directory, int days) {
        this.directory = directory;
        this.days = days;
    }

    /** Makes new files; takes about a second. */
    public static Certificates create() throws IOException, InterruptedException {
        return create(367);
    }

    /** Makes files of certificates that have expired yesterday. */
    public static Certificates expired() throws IOException, InterruptedException {
        return create(1);
    }

    private static Certificates create(int days) throws IOException, InterruptedException {
        Certificates certificates = new Certificates(Leftovers.directory("belay-certificates-"), days);
        try {
            certificates.make("ca", "-ext", "bc:critical=ca:true");
            certificates.make("stranger", "-ext", "bc:critical=ca:true");
            certificates.make("server", "-signer", "ca", "-ext", "san=ip:127.0.0.1,dns:localhost");
            certificates.make("client", "-signer", "ca", "-ext", "eku=clientAuth");
            certificates.export("ca", "stranger", "server", "client");
            return certificates;
        } catch (GeneralSecurityException e) {
            certificates.close();
            throw new IOException("keytool's key store cannot be read", e);
        } catch (IOException | InterruptedException e) {
            certificates.close();
            throw e;
        }
    }

    /** The authority that signed the server's and the client's certificate. */
    public Path caFile() {
        return directory.resolve("ca.crt");
    }

    /** The server's certificate. */
    public Path certFile() {
        return directory.resolve("server.crt");
    }

    /** The server's private key, PKCS#8 without a password. */
    public Path keyFile() {
        return directory.resolve("server.key");
    }

    /** The server's certificate and its private key, in one file. */
    public Path certAndKeyFile() {
        return directory.resolve("server.pem");
    }

    /** A client's certificate and its private key, in one file. */
    public Path clientCertAndKeyFile() {
        return directory.resolve("client.pem");
    }

    /** A client's certificate. */
    public Path clientCertFile() {
        return directory.resolve("client.crt");
    }

    /** The private key of {@link #clientCertFile}, PKCS#8 without a password. */
    public Path clientKeyFile() {
        return directory.resolve("client.key");
    }

    /** An authority that signed none of the others: a client that trusts only this one must refuse the server. */
    public Path strangerFile() {
        return directory.resolve("stranger.crt");
    }

    /** Deletes the files. */
    @Override
    public void close() {
        Leftovers.delete(directory);
    }

    private Path store() {
        return directory.resolve("store.p12");
    }

    private void make(String name, String... options) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = new ArrayList<>(List.of(keytool, "-J-XX:TieredStopAtLevel=1", "-genkeypair"));
        command.addAll(List.of("-keystore", store().toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-alias", name, "-dname", "CN=Belay test " + name));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-startdate", "-2d", "-validity", Integer.toString(days)));
        command.addAll(List.of(options));
        Path log = directory.resolve("log");
        int code = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("keytool failed: " + Files.readString(log));
        }
    }

    private void export(String... names) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            store.load(in, PASSWORD.toCharArray());
        }
        for (String name : names) {
            pem(name + ".crt", "CERTIFICATE", store.getCertificate(name).getEncoded());
            pem(
                    name + ".key",
                    "PRIVATE KEY",
                    store.getKey(name, PASSWORD.toCharArray()).getEncoded());
            Files.writeString(
                    directory.resolve(name + ".pem"),
                    Files.readString(directory.resolve(name + ".crt"))
                            + Files.readString(directory.resolve(name + ".key")));
        }
    }

    private void pem(String file, String type, byte[] bytes) throws IOException {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n");
    }
}
