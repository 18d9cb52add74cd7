package io.belay.file;

import io.belay.servers.ChildJvm;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A process that opens a directory when it is told to; by {@link #startWithBootId} with a boot id of its own, as in LXC. */
final class BootChild {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";
    private static final String MOUNT = "mount --bind \"$0\" " + BOOT_ID + " && exec \"$@\"";

    private final Path directory;
    private final ByteBuffer inside;
    private @Nullable Client client;
    private @Nullable Entrance entrance;

    private BootChild(Path directory, ByteBuffer inside) {
        this.directory = directory;
        this.inside = inside;
    }

    /** Whether this machine lets a test give a process a boot id: that takes root and mount namespaces. */
    static boolean canGiveBootIds() throws IOException, InterruptedException {
        Path file = Files.createTempFile("boot", "id");
        try {
            return new ProcessBuilder("unshare", "-m", "sh", "-c", MOUNT, file.toString(), "true")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } finally {
            Files.delete(file);
        }
    }

    static ChildJvm start(Path directory, Path shared) throws IOException {
        return ChildJvm.start(BootChild.class, directory.toString(), shared.toString());
    }

    static ChildJvm startWithBootId(Path idFile, String id, Path directory, Path shared) throws IOException {
        Files.writeString(idFile, id + "\n");
        List<String> command = List.of("unshare", "-m", "sh", "-c", MOUNT, idFile.toString());
        return ChildJvm.startBy(
                command, ChildJvm.classPath(BootChild.class), BootChild.class, directory.toString(), shared.toString());
    }

    public static void main(String[] arguments) throws Exception {
        try (FileChannel channel =
                FileChannel.open(Path.of(arguments[1]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer inside = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8);
            BootChild child = new BootChild(Path.of(arguments[0]), inside);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(child.told(line));
            }
        }
    }

    private String told(String line) {
        try {
            return switch (line) {
                case "open" -> open();
                case "close" -> close();
                case "try" -> tryEntrance();
                case "stand" -> stand(false);
                case "stand alone" -> stand(true);
                default -> round();
            };
        } catch (StoreException e) {
            return "refused: " + e.getMessage();
        } catch (IOException | RuntimeException | Error e) {
            return "failed: " + e;
        }
    }

    private String open() {
        client = Client.open(directory);
        return client.enter("lock", client.id()).state().toString();
    }

    private String close() {
        if (client != null) {
            client.close();
        }
        return "closed";
    }

    private String tryEntrance() throws IOException {
        Entrance.enter(directory, new Access(false), 1).close();
        return "free";
    }

    /** Stands in the entrance for good, as a process that was stopped there. */
    private String stand(boolean alone) throws IOException {
        entrance = Entrance.enter(directory, new Access(false));
        if (alone) {
            entrance.beAlone();
        }
        return "stands";
    }

    /** Opens the directory, takes the lock and sees that nobody else is inside. */
    private String round() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(2_000_000));
        try (Client one = Client.open(directory)) {
            ClaimId id = one.id();
            if (one.enter("lock", id).state() != Answer.State.GRANTED) {
                return "waits";
            }
            if (!MappedWords.compareAndSet(inside, 0, 0, one.number)) {
                return "violation";
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(5_000_000));
            if (!MappedWords.compareAndSet(inside, 0, one.number, 0)) {
                return "violation";
            }
            one.leave("lock", id);
            return "held";
        }
    }
}
