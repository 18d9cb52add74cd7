package io.belay.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command with all that it has begun: its descendants, those that it had when anybody looked, and those whose parents have
 * gone, which are known by what their environment says. A process that has made its environment anew and has lost its
 * parents, as a daemon may, is not found.
 */
final class Descendants {
    private static final long LOOK_MILLIS = 50;

    /** The time after which a process that goes on is told again, in nanoseconds. */
    private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

    /** The time that a process has to go when it was killed, in nanoseconds. */
    private static final long DYING = TimeUnit.MILLISECONDS.toNanos(800);

    private final ProcessHandle root;
    private final List<byte[]> marks;

    /** The processes that were seen, with the time at which each was told to end. */
    private final Map<ProcessHandle, @Nullable Long> told = new LinkedHashMap<>();

    /**
     * Makes the tree of a command.
     *
     * @param root the command's process
     * @param marks the variables in its environment that no other command has, all of them
     */
    Descendants(ProcessHandle root, Map<String, String> marks) {
        this.root = root;
        this.marks = marks.entrySet().stream()
                .map(mark -> (mark.getKey() + "=" + mark.getValue() + "\0").getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /**
     * Ends them all: asks them to end, those that go on again each second, until the grace is over, and then kills them.
     *
     * @param graceNanos the time from the first SIGTERM to SIGKILL
     * @return those that are there still, as they hang in the kernel or belong to somebody else
     */
    List<ProcessHandle> end(long graceNanos) throws InterruptedException {
        long begin = System.nanoTime();
        List<ProcessHandle> alive = look();
        while (!alive.isEmpty() && System.nanoTime() - begin < graceNanos) {
            for (ProcessHandle process : alive) {
                long now = System.nanoTime();
                Long last = told.get(process);
                if (last == null || now - last >= AGAIN) {
                    told.put(process, now);
                    process.destroy();
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(graceNanos - (System.nanoTime() - begin));
            Thread.sleep(Math.max(0, Math.min(LOOK_MILLIS, left)));
            alive = look();
        }
        long killing = System.nanoTime();
        while (!alive.isEmpty() && System.nanoTime() - killing < DYING) {
            alive.forEach(ProcessHandle::destroyForcibly);
            Thread.sleep(LOOK_MILLIS / 2);
            alive = look();
        }
        return alive;
    }

    /** Looks for all of them, and returns those that live. */
    private List<ProcessHandle> look() {
        add(root);
        List.copyOf(told.keySet()).forEach(seen -> seen.descendants().forEach(this::add));
        addMarked();
        return told.keySet().stream().filter(Descendants::lives).toList();
    }

    private void add(ProcessHandle process) {
        told.putIfAbsent(process, null);
    }

    private void addMarked() {
        long own = ProcessHandle.current().pid();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path directory : directories) {
                long pid = Long.parseLong(directory.getFileName().toString());
                if (pid != own && isMarked(directory)) {
                    ProcessHandle.of(pid).ifPresent(this::add);
                }
            }
        } catch (IOException e) {
            // No Linux: then those alone are found that have their parents.
        }
    }

    private boolean isMarked(Path directory) {
        try {
            byte[] environment = Files.readAllBytes(directory.resolve("environ"));
            for (byte[] mark : marks) {
                if (!contains(environment, mark)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // it has ended, or is another user's
        }
    }

    /** Returns whether one of the variables is the mark. */
    private static boolean contains(byte[] environment, byte[] mark) {
        for (int i = 0; i + mark.length <= environment.length; i++) {
            boolean begins = i == 0 || environment[i - 1] == 0;
            if (begins && Arrays.equals(environment, i, i + mark.length, mark, 0, mark.length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a process runs; one that waits for its parent to ask what became of it does not. */
    private static boolean lives(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return process.isAlive();
        }
    }
}
