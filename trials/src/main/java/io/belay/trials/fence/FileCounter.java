package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.file.fence.FileFence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A counter in a file. */
record FileCounter(Path file, FileFence fence) implements Counter {
    static FileCounter in(Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("counter"), "0");
        return new FileCounter(file, FileFence.in(Files.createDirectories(directory.resolve("fences"))));
    }

    @Override
    public long value() throws IOException {
        return Long.parseLong(Files.readString(file));
    }

    @Override
    public Addition guarded(FencingToken token) throws IOException {
        FileFence.Writer writer = fence.raiseTo(List.of(token));
        long read = value();
        return () -> writer.replace(file, Long.toString(read + 1).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Addition unguarded() throws IOException {
        long read = value();
        return () -> Files.writeString(file, Long.toString(read + 1));
    }

    @Override
    public void close() {}
}
