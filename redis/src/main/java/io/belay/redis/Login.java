package io.belay.redis;

import io.lettuce.core.RedisCredentials;
import org.jspecify.annotations.Nullable;

/**
 * The user and password to connect with.
 *
 * @param user the user; empty for the default one
 * @param password the password; null for none
 */
record Login(String user, @Nullable String password) {
    static final Login NONE = new Login("", null);

    /** Returns the credentials to show; null if there is no password to show. */
    @Nullable
    RedisCredentials credentials() {
        return password == null ? null : RedisCredentials.just(user.isEmpty() ? null : user, password.toCharArray());
    }

    /** Returns a line without the password, which servers repeat where they do not understand it. */
    String hide(String line) {
        return password == null || password.length() < 4 ? line : line.replace(password, "***");
    }

    /** Returns the user alone, without the password. */
    @Override
    public String toString() {
        return user;
    }
}
