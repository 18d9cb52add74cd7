package io.belay.file.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.servers.ChildJvm;
import io.belay.servers.NullProbe;
import io.belay.servers.Pace;
import io.belay.tck.FenceSpec;
import io.belay.tck.FenceTck;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileFenceTest extends FenceTck<FileFence.Writer, IOException> {
    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private Path file() {
        return directory.resolve("counter");
    }

    private FileFence fence() throws IOException {
        return FileFence.in(Files.createDirectories(directory.resolve("fences")));
    }

    private FileFence.Writer raise(long token) throws IOException {
        return fence().raiseTo(List.of(FencingToken.of("stock", token)));
    }

    static byte[] bytes(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    protected FenceSpec<FileFence.Writer, IOException> open() throws IOException {
        FileFence fence = fence();
        Files.write(file(), bytes(0));
        return new FenceSpec<>() {
            @Override
            public Fence<FileFence.Writer, IOException> fence() {
                return fence;
            }

            @Override
            public long read() throws IOException {
                return Long.parseLong(Files.readString(file()));
            }

            @Override
            public void write(FileFence.Writer writer, long value) throws IOException {
                writer.replace(file(), bytes(value));
            }

            @Override
            public void writeUnguarded(long value) throws IOException {
                Files.write(file(), bytes(value));
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void nothingIsLeftBesideTheFile() throws Exception {
        FileFence.Writer old = raise(1);
        raise(2).replace(file(), bytes(7));
        assertThatThrownBy(() -> old.replace(file(), bytes(8))).isInstanceOf(StaleTokenException.class);
        Path fresh = Files.write(directory.resolve("fresh"), bytes(9));
        assertThatThrownBy(() -> old.move(fresh, file())).isInstanceOf(StaleTokenException.class);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(file(), fresh, directory.resolve("fences"));
        }
        raise(2).move(fresh, file());
        assertThat(file()).hasContent("9");
    }

    /** Nobody holds any lock here, so that all that keeps them apart is the fence. */
    @Test
    void noUpdateIsLostAmongMany() throws Exception {
        AtomicLong tokens = new AtomicLong();
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(threads.submit(() -> {
                for (int written = 0; written < 10; ) {
                    try {
                        FileFence.Writer writer = raise(tokens.incrementAndGet());
                        writer.replace(file(), bytes(Long.parseLong(Files.readString(file())) + 1));
                        written++;
                    } catch (StaleTokenException e) {
                        // and again, by a later token
                    }
                }
                return null;
            }));
        }
        for (Future<?> writer : writers) {
            writer.get(Pace.seconds(), TimeUnit.SECONDS);
        }
        assertThat(file()).hasContent("40");
    }

    @Test
    @Tag("processes")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aProcessThatIsStoppedBetweenCheckAndRenameKeepsItsSuccessorWaiting() throws Exception {
        try (ChildJvm old = ChildJvm.start(FencedChild.class, directory.toString())) {
            assertThat(old.line()).isEqualTo("checked");
            old.signal("STOP");
            Future<String> successor = successor();
            assertThatThrownBy(() -> successor.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            old.signal("CONT");
            assertThat(old.ask("go on")).isEqualTo("written");
            assertThat(successor.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(FencedChild.CONTENT);
        }
    }

    @Test
    @Tag("processes")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aProcessThatDiesBetweenCheckAndRenameLeavesTheOldFile() throws Exception {
        try (ChildJvm old = ChildJvm.start(FencedChild.class, directory.toString())) {
            assertThat(old.line()).isEqualTo("checked");
            Future<String> successor = successor();
            assertThatThrownBy(() -> successor.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            old.kill();
            assertThat(successor.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("0");
        }
    }

    private Future<String> successor() {
        return threads.submit(() -> {
            raise(2);
            return Files.readString(file());
        });
    }

    /** No power is cut here: the calls that have the system write to the disk are looked at, and their order. */
    @Test
    @Tag("processes")
    @EnabledOnOs(OS.LINUX)
    void allIsOnTheDiskBeforeItIsTold() throws Exception {
        Path real = directory.toRealPath();
        Path calls = real.resolve("calls");
        List<String> strace = List.of(
                "strace", "-f", "--seccomp-bpf", "-yqq", "-esignal=none", "-etrace=fsync,/^rename", "-o" + calls);
        assumeTrue(isDone(strace, "true"), "Debian's package strace is installed, and may trace processes");
        try (ChildJvm child = ChildJvm.startBy(
                strace, ChildJvm.classPath(ReplacingChild.class), ReplacingChild.class, real.toString())) {
            assertThat(child.process.waitFor()).isZero();
        }
        assertThat(calls)
                .content()
                .containsPattern(String.join(
                        "(?s:.*)",
                        "fsync.*" + Pattern.quote(real.resolve("fences") + "/") + ".*\\.fence>",
                        "fsync.*" + Pattern.quote(real.resolve("fences") + ">"),
                        "fsync.*" + Pattern.quote(real + "/.belay-") + ".*\\.tmp>",
                        "rename.*" + Pattern.quote("\"" + real.resolve("counter") + "\""),
                        "fsync.*" + Pattern.quote(real + ">)") + " += 0",
                        "rename.*" + Pattern.quote("\"" + real.resolve("told") + "\"")));
    }

    private static boolean isDone(List<String> by, String command) throws InterruptedException {
        List<String> all = new ArrayList<>(by);
        all.add(command);
        try {
            return new ProcessBuilder(all).start().waitFor() == 0;
        } catch (IOException e) { // there is no such program
            return false;
        }
    }

    /** Has the fence of a lock in a thread of its own, from this method's return until then. */
    private Future<?> have(String lock, CountDownLatch until) throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        Future<?> has = threads.submit(() -> {
            fence().fenced(List.of(FencingToken.of(lock, 1)), () -> {
                inside.countDown();
                try {
                    until.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            });
            return null;
        });
        inside.await();
        return has;
    }

    /** Does something in a thread of its own, and returns once that waits, or has ended. */
    private static <T> Future<T> waiting(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive());
        return task;
    }

    /** The kernel takes the locks of a process that closes any channel of the file, whichever class loader it is of. */
    @Test
    void whoComesByAnotherClassLoaderWaitsForItsTurn() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : ChildJvm.classPath(FileFence.class).split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        CountDownLatch done = new CountDownLatch(1);
        Future<?> first = have("stock", done);
        try (URLClassLoader other =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Future<Boolean> second = waiting(() -> {
                raiseBy(other, 2);
                return done.getCount() == 0;
            });
            done.countDown();
            first.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(second.get(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThatThrownBy(() -> raise(1)).isInstanceOf(StaleTokenException.class);
        raise(3);
    }

    private void raiseBy(ClassLoader loader, long value) throws Exception {
        Class<?> tokens = loader.loadClass(FencingToken.class.getName());
        Class<?> fences = loader.loadClass(FileFence.class.getName());
        assertThat(fences).isNotSameAs(FileFence.class);
        Object token = tokens.getMethod("of", String.class, long.class).invoke(null, "stock", value);
        Object fence = fences.getMethod("in", Path.class).invoke(null, directory.resolve("fences"));
        fences.getMethod("raiseTo", Collection.class).invoke(fence, List.of(token));
    }

    /** The kernel looks at the locks of whole processes, and would see a circle here. */
    @Test
    @Tag("processes")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void twoProcessesOfWhichEachHasWhatAThreadOfTheOtherWaitsForGoOn() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Future<?> first = have("price", done);
        try (ChildJvm other = ChildJvm.start(FencedChild.class, directory.toString(), "price")) {
            assertThat(other.line()).isEqualTo("checked");
            Future<?> second = waiting(() -> raise(2));
            done.countDown();
            first.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(other.ask("go on")).isEqualTo("written");
            second.get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG", "fa"})
    void theDigitsAreTheSameInEveryLocale(String tag) throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            raise(5);
            raise(6);
        } finally {
            Locale.setDefault(before);
        }
        raise(7);
    }

    @Test
    void whoWaitsCanBeInterrupted() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Future<?> first = have("stock", done);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> raise(2)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        done.countDown();
        first.get(Pace.seconds(), TimeUnit.SECONDS);
        raise(2);
    }

    @Test
    void aFileThatIsDamagedIsNamedWithTheCure() throws Exception {
        raise(5);
        Path only;
        try (Stream<Path> files = Files.list(directory.resolve("fences"))) {
            only = files.findFirst().orElseThrow();
        }
        assertThat(only).hasContent("0000000000000000005\nstock\n");
        Files.writeString(only, "rubbish");
        assertThatThrownBy(() -> raise(6))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("'stock'", only.toString(), "damaged", "delete it");
    }

    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        NullProbe probe = new NullProbe(Set.of(), List.of("x", directory, List.of(), new byte[0], fence(), raise(1)));
        assertThat(probe.complaintsOf(List.of(FileFence.class, FileFence.Writer.class)))
                .isEmpty();
    }
}
