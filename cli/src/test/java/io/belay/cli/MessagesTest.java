package io.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.DeadlockPolicy;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.fence.FencingToken;
import io.belay.file.fence.FileFence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each exception of the table in docs/locks.md, as users get it, on one line with the lock or the store in it. */
class MessagesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+Exception)`");

    @TempDir
    private Path directory;

    private final Map<String, String> messages = new LinkedHashMap<>();

    private void throwsAt(String place, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isNotNull();
        messages.put(thrown.getClass().getSimpleName(), String.valueOf(thrown.getMessage()));
        assertThat(thrown.getMessage()).doesNotContain("\n").contains(place);
    }

    @Test
    void eachNamesTheLockOrTheStore() throws Exception {
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID())) {
            Lease lost = belay.lock("shop:lost").acquire();
            assertThat(belay.admin().forceRelease("shop:lost")).isTrue();
            await().until(() -> !lost.isHeld());
            throwsAt("'shop:lost'", lost::ensureHeld);

            Lease permit = belay.semaphore("shop:rooms", 2).acquire();
            throwsAt("'shop:rooms'", () -> belay.semaphore("shop:rooms", 3).tryAcquire());
            permit.release();

            DistributedLock own = belay.lock("shop:own", LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW));
            Lease held = own.acquire();
            throwsAt("'shop:own'", own::acquire);
            held.release();

            belay.pause(Duration.ZERO);
            throwsAt("'shop:stock'", () -> belay.lock("shop:stock").tryAcquire());
            belay.close();
            throwsAt("'shop:stock'", () -> belay.lock("shop:stock").tryAcquire());
        }
        FileFence fence = FileFence.in(directory);
        fence.raiseTo(List.of(FencingToken.of("shop:stock", 2)));
        throwsAt("'shop:stock'", () -> fence.raiseTo(List.of(FencingToken.of("shop:stock", 1))));
        String nobody = "127.0.0.1:" + freePort();
        throwsAt(nobody, () -> Belay.connect("redis://" + nobody));
        Path file = Files.createFile(directory.resolve("a file"));
        throwsAt(file.toString(), () -> Belay.connect("file:" + file));
        Set<String> told = ROW.matcher(Files.readString(Path.of("../docs/locks.md")))
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toSet());
        assertThat(messages.keySet()).isEqualTo(told);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
