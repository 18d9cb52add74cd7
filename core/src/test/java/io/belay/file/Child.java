package io.belay.file;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/** A process with a store, for tests: what it does until its input ends, and the handle by which it is controlled. */
final class Child implements AutoCloseable {
    static final int MANY = 1000;
    private static final long LONG_LEASE = 600_000_000;

    final Process process;
    private final BufferedReader output;

    private Child(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    static Child start(String... arguments) throws IOException {
        Path classes = place(FileStore.class);
        String classPath = classes + ":" + classes.resolveSibling("test-classes") + ":" + place(Logger.class);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classPath,
                Child.class.getName()));
        command.addAll(List.of(arguments));
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static Path place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    String line() throws IOException {
        return output.readLine();
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " ended with " + code);
        }
    }

    boolean isStopped() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    /** Ends its input; returns what it says last. */
    String finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        String last = line();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IOException("the child does not end");
        }
        return last;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        watchInput();
        try (Client client = Client.open(directory)) {
            switch (arguments[0]) {
                case "count" -> count(client);
                case "increment" -> increment(client, Path.of(arguments[2]));
                default -> hold(client, arguments[2]);
            }
        } catch (RuntimeException | Error e) {
            System.out.println("failed: " + e);
            throw e;
        }
    }

    private static volatile boolean ended;

    /** A pipe does not say that it has ended without being read. */
    private static void watchInput() {
        Thread reader = new Thread(() -> {
            try {
                System.in.readAllBytes();
            } catch (IOException e) {
                System.out.println("failed: " + e);
            }
            ended = true;
        });
        reader.setDaemon(true);
        reader.start();
    }

    private static void hold(Client client, String name) throws InterruptedException {
        System.out.println(client.enter(name, client.id()).state());
        while (!ended) {
            client.awaitPush(1_000);
        }
    }

    /** Changes its own claim among those of others, and checks each time that the change before is still there. */
    private static void count(Client client) {
        ClaimId id = client.id();
        Answer answer = client.send(new Request.Enter("counters", id, MANY, 1, LONG_LEASE, 0, false, 0, Client.OWNER));
        System.out.println(client.number);
        int changes = 0;
        while (!ended) {
            answer = client.send(new Request.Reweight("counters", id, answer.sequence(), changes, 1 + changes % 2));
            changes++;
            if (answer.state() != Answer.State.GRANTED || answer.reweights() != changes) {
                throw new AssertionError("after " + changes + " changes: " + answer);
            }
        }
        client.leave("counters", id);
        System.out.println("counted");
    }

    /**
     * Under a lock, adds one to a number in a file, in steps that anybody could disturb; and says there who is inside,
     * so that two are noticed, unless the one before was killed inside.
     */
    private static void increment(Client client, Path file) throws Exception {
        System.out.println("ready");
        long count = 0;
        long self = ProcessHandle.current().pid();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, 16);
            while (!ended) {
                ClaimId id = client.id();
                acquire(client, id);
                long inside = Words.get(shared, 8);
                if (inside != 0 && isAlive(inside)) {
                    throw new AssertionError("process " + inside + " is inside");
                }
                Words.set(shared, 8, self);
                long value = Words.get(shared, 0);
                LockSupport.parkNanos(1);
                Words.set(shared, 0, value + 1);
                if (!Words.compareAndSet(shared, 8, self, 0)) {
                    throw new AssertionError("another came inside");
                }
                client.leave("lock", id);
                count++;
            }
        }
        System.out.println(count);
    }

    /** A process that the kernel is taking down is not alive, though its number is still there. */
    private static boolean isAlive(long pid) throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean exiting = (Long.parseLong(fields[6]) & 4) != 0;
            return !exiting && !fields[0].equals("Z") && !fields[0].equals("X");
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static void acquire(Client client, ClaimId id) throws InterruptedException {
        Answer answer = client.send(new Request.Enter(
                "lock", id, Integer.MAX_VALUE, Integer.MAX_VALUE, LONG_LEASE, 0, false, 0, Client.OWNER));
        while (answer.state() != Answer.State.GRANTED) {
            client.awaitPush(50);
            answer = client.send(new Request.Renew("lock", id, answer.sequence(), LONG_LEASE, 0, false));
            if (answer.state() == Answer.State.GONE) {
                throw new AssertionError("lost its place: " + answer);
            }
        }
    }
}
