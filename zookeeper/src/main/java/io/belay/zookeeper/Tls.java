package io.belay.zookeeper;

import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is used; the files are PEM.
 *
 * @param ca the file with the certificates that are trusted; null for those that the JVM trusts
 * @param certificate the file with the client's own certificate and its key; null for none
 * @param verifyHost whether the server's certificate must be for its host
 */
record Tls(@Nullable String ca, @Nullable String certificate, boolean verifyHost) {

    void addTo(ZKClientConfig config) {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        // The only one of ZooKeeper's two kinds of sockets that speaks TLS.
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty("zookeeper.ssl.hostnameVerification", Boolean.toString(verifyHost));
        if (ca != null) {
            config.setProperty("zookeeper.ssl.trustStore.location", ca);
            config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        }
        if (certificate != null) {
            config.setProperty("zookeeper.ssl.keyStore.location", certificate);
            config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
        }
    }
}
