package io.belay.file.fence;

import io.belay.fence.FencingToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process that raises a fence, replaces a file behind it, and tells so by another. */
final class ReplacingChild {
    private ReplacingChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        FileFence.in(directory.resolve("fences"))
                .raiseTo(List.of(FencingToken.of("stock", 1)))
                .replace(directory.resolve("counter"), FileFenceTest.bytes(1));
        Files.move(Files.createFile(directory.resolve("told.tmp")), directory.resolve("told"));
    }
}
