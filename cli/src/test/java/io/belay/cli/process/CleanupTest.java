package io.belay.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.CommandRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes")
class CleanupTest {
    /** It sees what it has begun end, by no fault of anybody's. */
    @Test
    void aCommandThatASignalEndsSaysNothingOfWhatItComesUpon() throws Exception {
        CommandRun run = CommandRun.of(ChildJvm.start(Ended.class.getName(), List.of(), Map.of()));
        assertThat(run).isEqualTo(new CommandRun(143, ""));
    }

    /** A command that is ended as by a signal, in a VM that goes down once it has said what it says, or waits. */
    static final class Ended {
        private Ended() {}

        public static void main(String[] args) {
            Thread main = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                while (main.isAlive() && main.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
            }));
            CountDownLatch cleaning = new CountDownLatch(1);
            try (Cleanup cleanup = new Cleanup()) {
                cleanup.add(cleaning::countDown);
                new Thread(() -> System.exit(143)).start();
                while (cleaning.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
            System.out.println("a process ended by itself");
        }
    }
}
