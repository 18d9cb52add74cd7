package io.belay.file;

import io.belay.servers.ChildJvm;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/** A process with a store, for tests: what it does until its input ends. */
final class Child {
    static final int MANY = 1000;
    private static final long LONG_LEASE = 600_000_000;

    private Child() {}

    static ChildJvm start(String... arguments) throws IOException {
        return ChildJvm.start(Child.class, arguments);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        watchInput();
        try (Client client = Client.open(directory)) {
            switch (arguments[0]) {
                case "count" -> count(client);
                case "increment" -> increment(client, Path.of(arguments[2]));
                case "fix" -> fix(client, arguments[2], Long.parseLong(arguments[3]));
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

    /** Takes a lock, fixes when it ends, and tells its own number and that time. */
    private static void fix(Client client, String name, long lease) throws InterruptedException {
        ClaimId id = client.id();
        Answer held = client.enter(name, id);
        Answer fixed = client.send(Request.Fix.of(name, id, held.sequence(), held.reweights(), lease));
        System.out.println(client.number);
        System.out.println(fixed.deadline());
        while (!ended) {
            client.awaitPush(1_000);
        }
    }

    /** Changes its own claim among those of others, and checks each time that the change before is still there. */
    private static void count(Client client) {
        ClaimId id = client.id();
        Answer answer =
                client.send(Request.Enter.of("counters", id, ClaimSpec.of(MANY, 1, LONG_LEASE), 0, Client.OWNER));
        System.out.println(client.number);
        int changes = 0;
        while (!ended) {
            answer = client.send(Request.Reweight.of("counters", id, answer.sequence(), changes, 1 + changes % 2));
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
                ClaimId id = acquire(client);
                long inside = MappedWords.get(shared, 8);
                if (inside != 0 && isAlive(inside)) {
                    throw new AssertionError("process " + inside + " is inside");
                }
                MappedWords.set(shared, 8, self);
                long value = MappedWords.get(shared, 0);
                LockSupport.parkNanos(1);
                MappedWords.set(shared, 0, value + 1);
                if (!MappedWords.compareAndSet(shared, 8, self, 0)) {
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

    /** Waits for the lock; returns the claim. A grant lapses at which nobody looks in time, as where the machine runs others. */
    private static ClaimId acquire(Client client) throws InterruptedException {
        ClaimId id = client.id();
        long looked = System.nanoTime();
        Answer answer = enter(client, id);
        while (answer.state() != Answer.State.GRANTED) {
            client.awaitPush(50);
            long before = looked;
            looked = System.nanoTime();
            answer = client.send(Request.Renew.of("lock", id, answer.sequence(), LONG_LEASE, 0, false));
            if (answer.state() == Answer.State.GONE) {
                if (System.nanoTime() - before < Resource.PICK_UP * 1_000) {
                    throw new AssertionError("lost its place: " + answer);
                }
                id = client.id();
                answer = enter(client, id);
            }
        }
        return id;
    }

    private static Answer enter(Client client, ClaimId id) {
        return client.send(Request.Enter.of(
                "lock", id, ClaimSpec.of(Integer.MAX_VALUE, Integer.MAX_VALUE, LONG_LEASE), 0, Client.OWNER));
    }
}
