package io.belay.etcd;

import io.belay.spi.StoreException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * The TLS of a client whose files may be replaced: each connection is secured by what they hold as it begins. While they cannot be
 * used, as when one is being written, it is secured by what they held before. Thread-safe.
 */
final class RenewedContext extends SslContext {
    private final Supplier<SslContext> reading;
    private volatile SslContext last;

    /** @param reading reads the files, or throws a {@link StoreException} */
    RenewedContext(Supplier<SslContext> reading) {
        this.reading = reading;
        last = reading.get();
    }

    private SslContext read() {
        try {
            last = reading.get();
        } catch (StoreException unfinished) {
            // the files are told of when they are still so as a client is opened
        }
        return last;
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return read().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
        return read().newEngine(allocator, host, port);
    }

    @Override
    public boolean isClient() {
        return last.isClient();
    }

    @Override
    public List<String> cipherSuites() {
        return last.cipherSuites();
    }

    @Override
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return last.applicationProtocolNegotiator();
    }

    @Override
    public SSLSessionContext sessionContext() {
        return last.sessionContext();
    }
}
