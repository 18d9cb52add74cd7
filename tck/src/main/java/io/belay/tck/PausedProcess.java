package io.belay.tck;

import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** A process of its own whose client is paused, and which tells what is left of it then. */
final class PausedProcess {
    /** What a process has by itself: its classes, its libraries, its standard streams, randomness. */
    private static final Pattern ITS_OWN = Pattern.compile(".*\\.(jar|so|jsa)|.*/modules|/dev/.*|/proc/.*");

    /** The threads of the JVM, the one that writes Belay's lines, and those of drivers which run once a class is loaded. */
    private static final Pattern OF_THE_PROCESS = Pattern.compile(
            "belay-log|process reaper.*|Cleaner-\\d+|Common-Cleaner"
                    + "|ForkJoinPool.*|CompletableFutureDelayScheduler|mysql-cj-abandoned-connection-cleanup|BufferPoolPruner-.*");

    private PausedProcess() {}

    public static void main(String[] arguments) throws Exception {
        SocketChannel.open().close(); // the JVM keeps one of its own from the first on
        Set<String> before = used();
        LockOptions lease = LockOptions.defaults().withLease(Duration.parse(arguments[2]));
        try (Belay belay = Belay.connect(arguments[0], BelayOptions.defaults().withLockDefaults(lease))) {
            DistributedLock lock = belay.lock("paused");
            long token;
            try (Lease held = lock.acquire()) {
                token = held.token();
                System.out.println("uses " + since(before));
            }
            belay.pause(Duration.ofMinutes(1));
            try {
                await().pollInSameThread()
                        .atMost(Duration.parse(arguments[1]))
                        .until(() -> since(before).isEmpty());
            } catch (ConditionTimeoutException e) {
                // It is told what is left.
            }
            System.out.println("left " + since(before));
            belay.resume();
            try (Lease held = lock.acquire()) {
                System.out.println(held.token() > token ? "works again" : "has a token that fell");
            }
        }
    }

    private static Set<String> since(Set<String> before) throws IOException {
        Set<String> now = used();
        now.removeAll(before);
        return now;
    }

    /** The open files and sockets of this process, and its threads. */
    private static Set<String> used() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (!ITS_OWN.matcher(target).matches()) {
                        used.add(target);
                    }
                } catch (NoSuchFileException e) {
                    // It was that of this very listing, or has been closed meanwhile.
                }
            }
        }
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !OF_THE_PROCESS.matcher(name).matches())
                .forEach(name -> used.add("thread " + name));
        return used;
    }
}
