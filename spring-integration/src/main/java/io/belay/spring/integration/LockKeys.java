package io.belay.spring.integration;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;
import io.belay.support.KeyText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The names of locks, made of keys, which may be any objects. */
final class LockKeys {
    /** The characters of a key that stay readable: 192 bytes at most, of the 512 that a name has with its namespace. */
    private static final int READABLE = 64;

    private static final int HASH_BYTES = 16;

    private LockKeys() {}

    static ReentrantDistributedLock lock(Belay belay, Object key, LockOptions options) {
        String name = text(key);
        try {
            return belay.reentrantLock(name, options);
        } catch (IllegalArgumentException e) {
            return belay.reentrantLock(hashed(name), options);
        }
    }

    private static String text(Object key) {
        try {
            return KeyText.of(key);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the key of a lock " + e.getMessage(), e);
        }
    }

    /** Returns the beginning of a key as far as it can be read, and a hash of all of it. */
    static String hashed(String key) {
        StringBuilder readable = new StringBuilder();
        key.chars()
                .limit(READABLE)
                .map(c -> Character.isISOControl(c) || Character.isSurrogate((char) c) ? '_' : c)
                .forEach(c -> readable.append((char) c));
        return readable.append('#').append(hash(key)).toString();
    }

    private static String hash(String key) {
        try {
            // In UTF-16, where half a surrogate pair is not the same as another.
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_16BE));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
