package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server to use, and the way to talk to it.
 *
 * @param place where it is, or where to ask for it
 * @param login the user and password to connect with
 * @param sentinelLogin the same for sentinels
 * @param database the number of the database
 * @param prefix what keys and channels begin with
 * @param timeout how long a server may be silent that was asked, for a connection or anything else
 * @param firstTimeout the same for the first connection
 * @param secure whether to use TLS
 * @param tls how to use it
 * @param resp3 whether commands and pushes may share a connection
 * @param replicas how many replicas to wait for
 * @param refusesEviction whether not to connect to a server that may remove keys when its memory is full
 */
record Settings(
        ServerLocation place,
        Login login,
        Login sentinelLogin,
        int database,
        String prefix,
        Duration timeout,
        Duration firstTimeout,
        boolean secure,
        Tls tls,
        boolean resp3,
        ReplicaPolicy replicas,
        boolean refusesEviction) {

    /** The prefixes that can stand as they are in a script, in an ACL rule and in a channel's name. */
    private static final Pattern PREFIX = Pattern.compile("[\\w:./-]{1,64}");

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final String COMMANDS =
            "+info +time +eval +evalsha +subscribe +publish +get +getrange +set +setrange" + " +append +pttl";

    /** The further commands in a cluster; before 7.0 there are but the first two. */
    private static final String OF_CLUSTERS = " +cluster|slots +asking +ssubscribe +sunsubscribe +spublish";

    static Settings parse(String url) {
        return new RedisUrl(url).parse();
    }

    Settings {
        if (!PREFIX.matcher(prefix).matches()) {
            throw StoreException.unusable(
                    "The prefix '" + prefix + "' is not 1 to 64 letters, digits and characters of _:./-", null);
        }
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw StoreException.unusable("The timeout " + timeout + " is not from 1ms to 1 hour", null);
        }
        if (replicas.asks() && replicas.timeout().compareTo(timeout) >= 0) {
            throw StoreException.unusable(
                    "The replica-timeout of " + replicas.timeout().toMillis()
                            + " ms is not shorter than the timeout of " + timeout.toMillis() + " ms",
                    null);
        }
    }

    private Settings with(ServerLocation changed, String prefix, Duration timeout, Duration firstTimeout, Tls tls) {
        return new Settings(
                changed,
                login,
                sentinelLogin,
                database,
                prefix,
                timeout,
                firstTimeout,
                secure,
                tls,
                resp3,
                replicas,
                refusesEviction);
    }

    /** Returns the settings of one server among many. */
    Settings at(Address address) {
        return with(place.at(address), prefix, timeout, firstTimeout, tls);
    }

    /** Returns the settings to talk to one of the sentinels, which may take {@code longest} for each answer. */
    Settings ofSentinel(Address sentinel, Duration longest) {
        return new Settings(
                place.ofSentinel(sentinel),
                sentinelLogin,
                Login.NONE,
                0,
                prefix,
                longest,
                longest,
                secure,
                tls,
                resp3,
                ReplicaPolicy.NONE,
                refusesEviction);
    }

    Settings withPrefix(String changed) {
        return with(place, changed, timeout, firstTimeout, tls);
    }

    Settings withTimeout(Duration changed) {
        return with(place, prefix, changed, changed, tls);
    }

    Settings withTls(Tls changed) {
        return with(place, prefix, timeout, firstTimeout, changed);
    }

    List<Address> addresses() {
        return place.addresses();
    }

    boolean cluster() {
        return place.kind() == ServerLocation.Kind.CLUSTER;
    }

    /** Returns whether sentinels are to be asked where the server is. */
    boolean sentinels() {
        return place.kind() == ServerLocation.Kind.SENTINELS;
    }

    /** Returns whether these are the settings to talk to a sentinel itself. */
    boolean isSentinel() {
        return place.kind() == ServerLocation.Kind.SENTINEL;
    }

    String socket() {
        return place.socket();
    }

    String user() {
        return login.user();
    }

    @Nullable
    String password() {
        return login.password();
    }

    /** Returns the name of the server in messages: no user, no password. */
    String address() {
        return place.describe();
    }

    /** Returns the host; empty for a socket. */
    String host() {
        return addresses().isEmpty() ? "" : addresses().get(0).host();
    }

    /** Returns a message about the server, passwords hidden, since servers repeat what they do not understand. */
    String line(String what) {
        return sentinelLogin.hide(login.hide(address() + " " + what));
    }

    byte[] key(String resource) {
        return prefix.concat(resource).getBytes(StandardCharsets.UTF_8);
    }

    String resource(String key) {
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }

    /** Returns the channel of one client. */
    String channel(long client) {
        return prefix + Wire.hex(client);
    }

    /** Returns a client's channel in a cluster, for the resources of one slot. */
    byte[] channel(String channel, int slot) {
        return ClusterSlots.in(slot, prefix, channel.substring(prefix.length()));
    }

    /** Returns the user that the server knows this client as, unless a provider of credentials says otherwise. */
    String userName() {
        return login.user().isEmpty() ? AclUser.DEFAULT : login.user();
    }

    /** Returns the rights to commands that an administrator has to grant: HELLO and AUTH are everybody's. */
    String commands() {
        return COMMANDS
                + (cluster() ? OF_CLUSTERS : "")
                + (replicas.asks() ? " +wait" : "")
                + (database == 0 ? "" : " +select");
    }

    /** Returns the right to the keys of locks. */
    String keyRight() {
        return "~" + prefix + "*";
    }

    /** Returns the right to the channels of clients. */
    String channelRight() {
        return "&" + prefix + "*";
    }

    /** Returns the further rights to commands that it takes to list names. */
    String listingCommands() {
        return cluster() ? "+scan +cluster|nodes" : "+scan";
    }

    /**
     * Returns the rights that an administrator has to grant, and no more. Without resetchannels 6.2 refuses a channel,
     * since there a new user may use all.
     */
    String rights() {
        return keyRight() + " resetchannels " + channelRight() + " " + commands();
    }

    /** Returns the user and password of the URL; null if it names neither. */
    @Nullable
    RedisCredentials credentials() {
        return login.credentials();
    }

    RedisURI uri(@Nullable RedisCredentials credentials) {
        RedisURI.Builder uri = socket().isEmpty()
                ? RedisURI.Builder.redis(host(), addresses().get(0).port())
                : RedisURI.Builder.socket(socket());
        uri.withDatabase(database).withTimeout(firstTimeout.plus(Silence.WORK));
        // Else Lettuce introduces itself by CLIENT SETINFO, which takes a right that locks do not need.
        uri.withLibraryName("").withLibraryVersion("");
        if (secure) {
            uri.withSsl(true).withVerifyPeer(tls.verify());
        }
        if (credentials != null) {
            // A provider that is asked on another thread lets Lettuce say "connected" a moment too early.
            uri.withAuthentication(new StaticCredentialsProvider(credentials.getUsername(), credentials.getPassword()));
        }
        return uri.build();
    }

    @Override
    public String toString() {
        return address();
    }
}
