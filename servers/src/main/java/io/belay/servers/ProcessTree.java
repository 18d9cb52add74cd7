package io.belay.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Signals to a process and to all that it has started, as some servers have a process for each connection. */
final class ProcessTree {
    private ProcessTree() {}

    /** Stops all of them (SIGSTOP), and waits until none runs any more. */
    static void stop(ProcessHandle root) throws IOException, InterruptedException {
        // Stopped first, it starts no others.
        stopAlone(root);
        List<ProcessHandle> others = root.descendants().toList();
        signal("STOP", others);
        for (ProcessHandle other : others) {
            awaitStop(other);
        }
    }

    /** Stops this process only; as far as its children serve, the server goes on. */
    static void stopAlone(ProcessHandle process) throws IOException, InterruptedException {
        signal("STOP", List.of(process));
        awaitStop(process);
    }

    /** Lets all of them go on (SIGCONT). */
    static void resume(ProcessHandle root) throws IOException, InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(root.descendants().toList());
        all.add(root);
        signal("CONT", all);
    }

    /** Waits until a process that was killed is gone, also if it is not this one's child. */
    static void awaitEnd(ProcessHandle process) {
        while (process.isAlive() && "ZX".indexOf(state(process.pid())) < 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitStop(ProcessHandle process) throws InterruptedException {
        // The signal is sent, which is not yet to say that the last thread has stopped.
        while ("TZX".indexOf(state(process.pid())) < 0) {
            Thread.sleep(1);
        }
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        if (processes.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        int code = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        // One that has just ended by itself makes it fail.
        if (code != 0 && processes.stream().allMatch(ProcessHandle::isAlive)) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    /** Returns T for stopped, Z or X for dead where its parent has not asked how it ended, and X also without /proc. */
    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // Gone, maybe while it was read.
            return 'X';
        }
    }
}
