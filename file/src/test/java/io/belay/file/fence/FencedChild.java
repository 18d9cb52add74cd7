package io.belay.file.fence;

import io.belay.fence.FencingToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that stands still between the comparison of its token and its write, until it is told to go on. If it is given
 * another lock, a second thread waits for the fence of that meanwhile.
 */
final class FencedChild {
    static final String CONTENT = "1";

    private FencedChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        FileFence fence = FileFence.in(directory.resolve("fences"));
        FutureTask<?> beside =
                new FutureTask<>(() -> args.length == 1 ? null : fence.raiseTo(List.of(FencingToken.of(args[1], 2))));
        fence.fenced(List.of(FencingToken.of("stock", 1)), () -> {
            Thread second = new Thread(beside);
            second.start();
            while (args.length > 1 && second.isAlive() && !isAtTheFile(second)) {
                LockSupport.parkNanos(1_000_000);
            }
            System.out.println("checked");
            if (System.in.read() >= 0) {
                Files.writeString(directory.resolve("counter"), CONTENT);
            }
        });
        beside.get();
        System.out.println("written");
    }

    private static boolean isAtTheFile(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(at -> at.getClassName().equals(FenceFile.class.getName()));
    }
}
