package io.belay.redis;

/**
 * Where a server listens.
 *
 * @param host its name or address
 * @param port its port
 */
record Address(String host, int port) {
    /** As in URLs: an IPv6 address stands in brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
