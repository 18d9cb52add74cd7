package io.belay.internal;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Inspection;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;

/**
 * A client whose names all have a prefix.
 *
 * @param client the client that it is a view of
 * @param prefix what precedes every name, the colon included
 */
record Namespace(Client client, String prefix) implements Belay {
    private String full(String name) {
        return Names.check("The lock's name", prefix, name);
    }

    @Override
    public DistributedLock lock(String name) {
        return client.lock(full(name));
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        return client.lock(full(name), options);
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name) {
        return client.reentrantLock(full(name));
    }

    @Override
    public ReentrantDistributedLock reentrantLock(String name, LockOptions options) {
        return client.reentrantLock(full(name), options);
    }

    @Override
    public Belay namespace(String inner) {
        return new Namespace(client, Names.check("The namespace", prefix, inner) + ":");
    }

    @Override
    public Inspection inspect(String name) {
        return client.inspect(full(name));
    }

    @Override
    public boolean forceRelease(String name) {
        return client.forceRelease(full(name));
    }

    @Override
    public void close() {
        // The client is closed once, where it was connected.
    }
}
