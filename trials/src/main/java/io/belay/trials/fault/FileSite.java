package io.belay.trials.fault;

import io.belay.servers.Restartable;
import io.belay.servers.TcpProxy;
import java.nio.file.Path;
import java.util.List;

/** A directory. */
record FileSite(Path directory) implements Site {
    @Override
    public String url(int client) {
        return "file:" + directory;
    }

    @Override
    public List<Restartable> servers() {
        return List.of();
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of();
    }

    @Override
    public void close() {
        // It goes with the directory of the trial.
    }
}
