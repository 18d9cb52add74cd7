package io.belay.redis;

import io.lettuce.core.RedisCredentials;
import org.jspecify.annotations.Nullable;

/**
 * As whom to connect.
 *
 * @param user the user; empty for the default one
 * @param password the password; null for none
 */
record Login(String user, @Nullable String password) {
    static final Login NONE = new Login("", null);

    /** Null if there is no password to show. */
    @Nullable
    RedisCredentials credentials() {
        return password == null ? null : RedisCredentials.just(user.isEmpty() ? null : user, password.toCharArray());
    }

    /** A line without the password, which servers repeat where they do not understand it. */
    String hide(String line) {
        return password == null || password.length() < 4 ? line : line.replace(password, "***");
    }

    /** Not with the password in it. */
    @Override
    public String toString() {
        return user;
    }
}
