package io.belay.file.fence;

import io.belay.fence.FencingToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process that stands still between the comparison of its token and its write, until it is told to go on. */
final class FencedChild {
    static final String CONTENT = "1";

    private FencedChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        FileFence fence = FileFence.in(directory.resolve("fences"));
        fence.fenced(List.of(FencingToken.of("stock", 1)), () -> {
            System.out.println("checked");
            if (System.in.read() >= 0) {
                Files.writeString(directory.resolve("counter"), CONTENT);
            }
        });
        System.out.println("written");
    }
}
