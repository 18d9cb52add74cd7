package io.belay.file;

import io.belay.servers.ChildJvm;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process of another user that opens a URL and does what it is told, a line each. */
final class UserChild implements Store.Listener {
    private static final String NAME = "lock";
    private static final long CLIENT = ProcessHandle.current().pid();

    private final CountDownLatch granted = new CountDownLatch(1);

    /**
     * Starts one.
     *
     * @param classes where {@link #copyClasses} has put what it needs
     * @param umask takes rights from what it makes
     * @param user the arguments of {@code setpriv} that say who it is
     */
    static ChildJvm start(Path classes, String umask, String url, String... user) throws IOException {
        List<String> command = new ArrayList<>(List.of("setpriv"));
        command.addAll(List.of(user));
        command.addAll(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
        return ChildJvm.startBy(command, classes + File.separator + "*:" + classes, UserChild.class, url);
    }

    /** The class path where every user may read it: those of Maven and of the tests may lie in a home directory. */
    static void copyClasses(Path to) throws IOException {
        for (String entry : ChildJvm.classPath(UserChild.class).split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                copyTree(path, to);
            } else if (path.getFileName().toString().matches("(slf4j-api|belay-core|belay-servers).*\\.jar")) {
                Files.copy(path, to.resolve(path.getFileName()));
            }
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                if (!Files.exists(copy)) {
                    Files.copy(file, copy);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        UserChild child = new UserChild();
        try (Store store = new FileStoreProvider().open(arguments[0], CLIENT, child)) {
            System.out.println("open");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(child.told(store, line));
            }
        } catch (StoreException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private String told(Store store, String line) throws InterruptedException {
        try {
            return switch (line) {
                case "enter" -> answer(store, FileBench.enter(NAME, ClaimId.of(CLIENT, 1)));
                case "leave" -> answer(store, Request.Leave.of(NAME, ClaimId.of(CLIENT, 1), false));
                case "await" -> Boolean.toString(granted.await(60, TimeUnit.SECONDS));
                default -> Integer.toString(claims(store));
            };
        } catch (CompletionException e) {
            return "failed: " + e.getCause().getMessage();
        }
    }

    private static String answer(Store store, Request request) {
        Answer answer = store.send(request).toCompletableFuture().join();
        return answer.state().toString();
    }

    static int claims(Store store) {
        Store.Snapshot seen = store.inspect(NAME).toCompletableFuture().join();
        return seen.resource().orElse(Resource.UNUSED).claims().size();
    }

    @Override
    public void pushed(Push push) {
        if (push.granted()) {
            granted.countDown();
        }
    }

    @Override
    public void reconnected() {}
}
