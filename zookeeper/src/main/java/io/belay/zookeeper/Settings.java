package io.belay.zookeeper;

import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The ensemble to use, and the way to talk to it.
 *
 * @param hosts its members, as {@code HOST:PORT}, separated by commas
 * @param root the path under which all resources are
 * @param login {@code USER:PASSWORD} of the digest scheme; null for none
 * @param sessionTimeout how long a session is to outlive its client
 * @param connectTimeout how long the first connection may take
 * @param acl what others may do with the nodes
 * @param tls how to use TLS; null where it is not used
 */
record Settings(
        String hosts,
        String root,
        @Nullable String login,
        Duration sessionTimeout,
        Duration connectTimeout,
        List<ACL> acl,
        @Nullable Tls tls) {
    /**
     * The longest answer that is taken, in bytes, unless the JVM's property {@code jute.maxbuffer} says another: enough for
     * a million names. ZooKeeper's own limit of 1 MiB would end the connection instead.
     */
    private static final int LONGEST_ANSWER = 64 << 20;

    /** Returns a message that names the ensemble: no user, no password. */
    String line(String what) {
        String line = "ZooKeeper at " + hosts + " " + what;
        return login == null ? line : line.replace(login, "***");
    }

    ZKClientConfig config() {
        ZKClientConfig config = new ZKClientConfig();
        if (config.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
            config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(LONGEST_ANSWER));
        }
        if (tls != null) {
            tls.addTo(config);
        }
        return config;
    }
}
