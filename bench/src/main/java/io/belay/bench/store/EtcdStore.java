package io.belay.bench.store;

import io.belay.servers.EtcdServer;
import java.io.IOException;
import java.util.stream.Stream;

/** A server of etcd: the machine's own program, with its directory in memory if there is room. */
final class EtcdStore implements StoreServer {
    private static final String VERSION = "etcd Version:";

    private final EtcdServer server;

    private EtcdStore(EtcdServer server) {
        this.server = server;
    }

    static EtcdStore start() throws IOException, InterruptedException {
        if (!EtcdServer.isInstalled()) {
            throw new IOException("there is no program 'etcd' on the PATH: install etcd (Debian: etcd-server)");
        }
        return new EtcdStore(EtcdServer.start());
    }

    @Override
    public String version() throws IOException {
        Process process = new ProcessBuilder("etcd", "--version").start();
        try (Stream<String> lines = process.inputReader().lines()) {
            return lines.filter(line -> line.startsWith(VERSION))
                            .map(line -> line.substring(VERSION.length()).trim())
                            .findFirst()
                            .orElse("unknown")
                    + (server.isInMemory() ? "" : ", on a disk");
        }
    }

    @Override
    public String url() {
        return "etcd://127.0.0.1:" + server.port();
    }

    /** Starts the server again with nothing: what is merely deleted would stay in its history. */
    @Override
    public void clear() throws IOException, InterruptedException {
        server.wipe();
    }

    @Override
    public void close() {
        server.close();
    }
}
