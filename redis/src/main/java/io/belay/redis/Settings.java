package io.belay.redis;

import io.belay.spi.StoreException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which server, and how to talk to it.
 *
 * @param addresses where it listens; where to ask for the others, if it is a cluster; empty for a socket
 * @param cluster whether it is one of a cluster
 * @param socket the path of its socket; empty for a host
 * @param user the user; empty for the default one
 * @param password the password; null for none
 * @param database the number of the database
 * @param prefix what keys and channels begin with
 * @param timeout how long a connection may take, and a server that was asked may be silent
 * @param firstTimeout how long the first connection may take, for which a process has a lot of code to load
 * @param secure whether to use TLS
 * @param tls how
 * @param resp3 whether commands and pushes may share a connection
 */
record Settings(
        List<Address> addresses,
        boolean cluster,
        String socket,
        String user,
        @Nullable String password,
        int database,
        String prefix,
        Duration timeout,
        Duration firstTimeout,
        boolean secure,
        Tls tls,
        boolean resp3) {

    /** So that it can stand in a script, in an ACL rule and in a channel's name as it is. */
    private static final Pattern PREFIX = Pattern.compile("[\\w:./-]{1,64}");

    private static final Duration LONGEST = Duration.ofHours(1);

    private static final String COMMANDS =
            "+info +time +eval +evalsha +subscribe +publish +get +getrange +set +setrange" + " +append +pttl";

    /** Before 7.0 there are but the first two. */
    private static final String OF_CLUSTERS = " +cluster|slots +asking +ssubscribe +sunsubscribe +spublish";

    static Settings parse(String url) {
        return new RedisUrl(url).parse();
    }

    Settings {
        if (!PREFIX.matcher(prefix).matches()) {
            throw StoreException.unusable(
                    "The prefix '" + prefix + "' is not 1 to 64 letters, digits and characters of _:./-", null);
        }
        if (timeout.toMillis() < 1 || timeout.compareTo(LONGEST) > 0) {
            throw StoreException.unusable("The timeout " + timeout + " is not from 1ms to 1 hour", null);
        }
    }

    /** Of one server among many. */
    Settings at(Address address) {
        return new Settings(
                List.of(address),
                cluster,
                socket,
                user,
                password,
                database,
                prefix,
                timeout,
                firstTimeout,
                secure,
                tls,
                resp3);
    }

    Settings withPrefix(String changed) {
        return new Settings(
                addresses,
                cluster,
                socket,
                user,
                password,
                database,
                changed,
                timeout,
                firstTimeout,
                secure,
                tls,
                resp3);
    }

    Settings withTimeout(Duration changed) {
        return new Settings(
                addresses, cluster, socket, user, password, database, prefix, changed, changed, secure, tls, resp3);
    }

    Settings withTls(Tls changed) {
        return new Settings(
                addresses,
                cluster,
                socket,
                user,
                password,
                database,
                prefix,
                timeout,
                firstTimeout,
                secure,
                changed,
                resp3);
    }

    /** How messages name the server: no user, no password. */
    String address() {
        String all = addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
        return (cluster && addresses.size() > 1 ? "Redis cluster at " : "Redis at ")
                + (socket.isEmpty() ? all : socket);
    }

    /** The host; empty for a socket. */
    String host() {
        return addresses.isEmpty() ? "" : addresses.get(0).host();
    }

    /** A message about the server. Servers repeat what they do not understand, which might be the password. */
    String line(String what) {
        String line = address() + " " + what;
        return password == null || password.length() < 4 ? line : line.replace(password, "***");
    }

    byte[] key(String resource) {
        return prefix.concat(resource).getBytes(StandardCharsets.UTF_8);
    }

    String resource(String key) {
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }

    /** The channel of one client. */
    String channel(long client) {
        return prefix + Wire.hex(client);
    }

    /** The same in a cluster, for the resources of one slot. */
    byte[] channel(String channel, int slot) {
        return Slots.in(slot, prefix, channel.substring(prefix.length()));
    }

    /** As whom the server knows this client, unless a provider of credentials says otherwise. */
    String userName() {
        return user.isEmpty() ? AclUser.DEFAULT : user;
    }

    /** The rights to commands that an administrator has to grant: HELLO and AUTH are everybody's. */
    String commands() {
        return COMMANDS + (cluster ? OF_CLUSTERS : "") + (database == 0 ? "" : " +select");
    }

    /**
     * What an administrator has to grant, and no more. Without resetchannels 6.2 refuses a channel, since there a new user
     * may use all.
     */
    String rights() {
        return "~" + prefix + "* resetchannels &" + prefix + "* " + commands();
    }

    /** The user and password of the URL; null if it names neither. */
    @Nullable
    RedisCredentials credentials() {
        return password == null ? null : RedisCredentials.just(user.isEmpty() ? null : user, password.toCharArray());
    }

    RedisURI uri(@Nullable RedisCredentials credentials) {
        RedisURI.Builder uri = socket.isEmpty()
                ? RedisURI.Builder.redis(host(), addresses.get(0).port())
                : RedisURI.Builder.socket(socket);
        uri.withDatabase(database).withTimeout(firstTimeout);
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
