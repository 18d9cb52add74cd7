package io.belay.file.fence;

import io.belay.fence.FencingToken;
import java.nio.file.Path;
import java.util.List;

/** A process that raises a fence, and replaces a file behind it. */
final class ReplacingChild {
    private ReplacingChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        FileFence.in(directory.resolve("fences"))
                .raiseTo(List.of(FencingToken.of("stock", 1)))
                .replace(directory.resolve("counter"), FileFenceTest.bytes(1));
        System.out.println("replaced");
    }
}
