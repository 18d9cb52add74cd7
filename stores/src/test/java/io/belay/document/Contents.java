package io.belay.document;

import io.belay.spi.Resource;

/** What a simulation has to get at that only this package may: what documents say. */
public final class Contents {
    private Contents() {}

    /** The resource that a document says. */
    public static Resource resource(String name, byte[] state) {
        return States.decode(name, state).resource();
    }

    /** The document with another resource. */
    public static byte[] with(String name, byte[] state, Resource resource) {
        return States.encode(
                new States.State(resource, States.decode(name, state).wanted()));
    }
}
