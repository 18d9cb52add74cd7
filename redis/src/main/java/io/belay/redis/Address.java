package io.belay.redis;

import org.jspecify.annotations.Nullable;

/**
 * The host and port at which a server listens.
 *
 * @param host its name or address
 * @param port its port
 */
record Address(String host, int port) {
    /** The word that a cluster's node which is to tell names writes in place of one that it does not know, or not yet. */
    static final String UNKNOWN = "?";

    /**
     * Checks both, since servers that tell where others are, are not trusted blindly.
     *
     * @throws IllegalArgumentException if nothing can listen there
     */
    Address {
        if (host.isEmpty()
                || host.equals(UNKNOWN)
                || !host.chars().allMatch(c -> c > ' ' && !Character.isISOControl(c))) {
            throw new IllegalArgumentException("not an address: its host");
        } else if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("not an address: port " + port);
        }
    }

    /** Returns the address of a host and a port of at most nine digits; null if nothing can listen there. */
    static @Nullable Address of(String host, String port) {
        try {
            return new Address(host, port.matches("\\d{1,9}") ? Integer.parseInt(port) : 0);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the address as in URLs: an IPv6 address stands in brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
