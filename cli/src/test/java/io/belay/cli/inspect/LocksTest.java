package io.belay.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.cli.Cli;
import io.belay.cli.inspect.LocksCommand.Look;
import io.belay.cli.text.Json;
import io.belay.servers.CommandRun;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands that list locks, look at one, and take one away, beside clients that hold and wait. */
class LocksTest {
    private static final Duration ANY = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    private String locks = "locks";

    /** What is done with a store that is to answer in time. */
    private interface Body {
        void run() throws Exception;
    }

    /** Does it, and again with another store where one does not answer in time. */
    private void inTime(Body body) throws Exception {
        Premise.withLease(ANY, lease -> {
            locks = "locks-" + lease.toSeconds();
            body.run();
        });
    }

    private String store() {
        return "file:" + directory.resolve(locks);
    }

    private Belay client(String name) {
        return Belay.connect(store(), BelayOptions.defaults().withClientName(name));
    }

    private CommandRun run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--store", store()));
        return Cli.answered(Cli.inside(all.toArray(String[]::new)));
    }

    private static void awaitClaims(Belay belay, String name, int number) {
        Awaitility.await()
                .ignoreException(StoreUnavailableException.class)
                .until(() -> belay.admin().inspect(name).claims().size() == number);
    }

    @Test
    void locksAreListedThoseThatAreWaitedForFirst() throws Exception {
        inTime(this::locksAreListed);
    }

    private void locksAreListed() throws Exception {
        try (Belay a = client("node-a");
                Belay b = client("node-b")) {
            a.lock("stock:1").acquire();
            a.onBehalfOf("order 7").lock("stock:2").acquire();
            a.lock("other").acquire();
            a.lock("free").acquire().close();
            b.lock("stock:2").acquireAsync();
            awaitClaims(a, "stock:2", 2);

            List<String> lines = run("locks").output().lines().toList();
            assertThat(lines.get(0)).startsWith("NAME").contains("HELD BY", "OLDEST WAIT");
            assertThat(lines).hasSize(4);
            assertThat(lines.get(1)).startsWith("stock:2").contains("node-a@", " for order 7");
            assertThat(run("locks", "stock:").output().lines()).hasSize(3);
            assertThat(run("locks", "--all").output()).contains("free");
            assertThat(run("locks", "nobody").output())
                    .contains("nobody holds or waits for any lock whose name begins with nobody");
            assertThat(run("locks", "--limit", "1").output()).contains("more names than --limit=1");

            JsonNode json = Json.read(run("locks", "stock:2", "--json").output());
            assertThat(json.path("more").asBoolean()).isFalse();
            JsonNode lock = json.path("locks").get(0);
            assertThat(lock.path("name").asString()).isEqualTo("stock:2");
            assertThat(lock.path("waiters").asInt()).isEqualTo(1);
            JsonNode holder = lock.path("holders").get(0);
            assertThat(holder.path("client").asString()).isEqualTo("node-a");
            assertThat(holder.path("behalf").asString()).isEqualTo("order 7");
            assertThat(holder.path("mode").asString()).isEqualTo("exclusive");

            String shown = run("inspect", "stock:2").output();
            assertThat(shown).contains("FOR", "MODE", "HELD", "HEARD", "order 7", "exclusive");
        }
    }

    /** As cron and most containers have it. */
    @Test
    void jsonHasTheNamesAsTheyAreWhereTheLocaleDoesNotKnowThem() throws Exception {
        inTime(this::jsonHasTheNames);
    }

    private void jsonHasTheNames() throws Exception {
        try (Belay a = client("node-\u00e4")) {
            a.lock("st\u00fcck:7").acquire();
            CommandRun run = Cli.answered(Cli.run(Map.of("LC_ALL", "C"), "locks", "--json", "--store", store()));
            JsonNode lock = Json.read(run.output()).path("locks").get(0);
            assertThat(lock.path("name").asString()).isEqualTo("st\u00fcck:7");
            assertThat(lock.path("holders").get(0).path("client").asString()).isEqualTo("node-\u00e4");
        }
    }

    @Test
    void whatTheStoreDoesNotTellInTimeIsMarked() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Belay a = client("node-a")) {
            a.lock("held").acquire();
            a.lock("late").acquire();
            Look seen = new LocksCommand().look(late(a, "late"::equals), threads);
            assertThat(seen.missed()).isEqualTo("it is late");
            assertThat(seen.rows()).extracting(LockRow::name).containsExactly("held", "late");
            assertThat(seen.rows()).extracting(LockRow::known).containsExactly(true, false);
            assertThat(seen.rows().get(1).cells()).contains("late", "?");
            assertThatThrownBy(() -> new LocksCommand().look(late(a, name -> true), threads))
                    .isInstanceOf(StoreUnavailableException.class);
        } finally {
            threads.shutdown();
        }
    }

    /** As of another program, or of a newer Belay. */
    @Test
    void whatCannotBeReadIsMarked() throws Exception {
        StoreMisconfiguredException foreign = new StoreMisconfiguredException("it is not Belay's", null);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Belay a = client("node-a")) {
            a.lock("held").acquire();
            a.lock("foreign").acquire();
            Look seen = new LocksCommand().look(failing(a, "foreign"::equals, foreign), threads);
            assertThat(seen.missed()).isEqualTo("it is not Belay's");
            assertThat(seen.rows()).extracting(LockRow::name).containsExactly("held", "foreign");
            assertThat(seen.rows()).extracting(LockRow::known).containsExactly(true, false);
            assertThatThrownBy(() -> new LocksCommand().look(failing(a, name -> true, foreign), threads))
                    .isSameAs(foreign);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void anOutageIsAJsonObjectToo() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Belay a = client("node-a")) {
            a.lock("held").acquire();
            LocksCommand command = new LocksCommand();
            new CommandLine(command).parseArgs("--json");
            CommandRun run = CommandRun.inside(() -> {
                try {
                    command.lookAgain("nix://u:geheim@host", late(a, name -> true), threads);
                    return 0;
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            JsonNode outage = Json.read(run.output());
            assertThat(outage.path("failure").asString()).isEqualTo("it is late");
            assertThat(outage.path("store").asString()).isEqualTo("nix://u:***@host");
        } finally {
            threads.shutdown();
        }
    }

    /** Returns the client, but as one whose store is late with some of the locks. */
    private static Belay late(Belay client, Predicate<Object> name) {
        return failing(client, name, new StoreUnavailableException("it is late", null));
    }

    /** Returns the client, but as one who cannot look at some of the locks. */
    private static Belay failing(Belay client, Predicate<Object> name, BelayException failure) {
        ClassLoader loader = LocksTest.class.getClassLoader();
        Object admin = Proxy.newProxyInstance(loader, new Class<?>[] {BelayAdmin.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("inspect") && name.test(arguments[0])) {
                throw failure;
            }
            return method.invoke(client.admin(), arguments);
        });
        return (Belay) Proxy.newProxyInstance(
                loader,
                new Class<?>[] {Belay.class},
                (proxy, method, arguments) ->
                        method.getName().equals("admin") ? admin : method.invoke(client, arguments));
    }

    @Test
    void aBrokenLocksHolderIsToldByWhom() throws Exception {
        inTime(this::aHolderIsToldByWhom);
    }

    private void aHolderIsToldByWhom() throws Exception {
        try (Belay a = client("node-a")) {
            Lease lease = a.lock("stuck").acquire();
            CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
            lease.onLost(told::complete);

            assertThat(answered("no\n", "break", "stuck").output()).contains("nothing was done");
            assertThat(answered("", "break", "stuck").output()).contains("give --yes");
            assertThat(lease.isHeld()).isTrue();

            CommandRun run = answered("stuck\n", "break", "stuck");
            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(run.output()).contains("node-a", "was taken away", "renews its lease or that ends");
            LeaseLostException loss = told.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(loss.reason()).contains(LossReason.FORCED);
            Premise.check(loss.forcedBy().isPresent(), "who took it away is read within half a second");
            assertThat(loss.forcedBy().orElseThrow()).contains("belay break", System.getProperty("user.name"));

            CommandRun again = run("break", "stuck", "--yes");
            assertThat(again.exitCode()).isEqualTo(1);
            assertThat(again.output()).contains("nobody holds stuck");
            a.lock("stuck").acquire();
            assertThat(run("break", "stuck", "--yes").exitCode()).isZero();
        }
    }

    @Test
    void aNameWithSpacesAtItsEndsCanBeTyped() throws Exception {
        inTime(() -> {
            try (Belay a = client("node-a")) {
                a.lock(" spaced ").acquire();
                CommandRun run = answered(" spaced \n", "break", " spaced ");
                assertThat(run.exitCode()).as(run.output()).isZero();
            }
        });
    }

    /** Who answers may have thought it over for long. */
    @Test
    void itIsNotTakenFromWhomTheQuestionDidNotShow() throws Exception {
        inTime(this::itIsNotTakenFromTheNext);
    }

    private void itIsNotTakenFromTheNext() throws Exception {
        try (Belay a = client("node-a");
                Belay b = client("node-b")) {
            Lease shown = a.lock("moved").acquire();
            Lease[] next = new Lease[1];
            InputStream answer = new ByteArrayInputStream("moved\n".getBytes(StandardCharsets.UTF_8)) {
                @Override
                public synchronized int read(byte[] bytes, int offset, int length) {
                    if (next[0] == null) {
                        shown.close();
                        next[0] = b.lock("moved").acquireAsync().join();
                    }
                    return super.read(bytes, offset, length);
                }
            };
            CommandRun run = answered(answer, "break", "moved");
            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output()).contains("node-a", "Others hold it by now:\n", "node-b", "nothing was done");
            assertThat(next[0].isHeld()).isTrue();
            assertThat(run("break", "moved", "--yes").exitCode()).isZero();
        }
    }

    private CommandRun answered(String typed, String... args) {
        return answered(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), args);
    }

    private CommandRun answered(InputStream typed, String... args) {
        InputStream before = System.in;
        System.setIn(typed);
        try {
            return run(args);
        } finally {
            System.setIn(before);
        }
    }

    /** Reads to the end, which comes in the middle of a line where the process is destroyed. */
    private static void drain(BufferedReader lines) {
        try (lines) {
            lines.lines().forEach(line -> {});
        } catch (IOException | UncheckedIOException e) {
            // it has ended
        }
    }

    @Tag("long")
    @Test
    void watchingFollowsWhoHasIt() throws Exception {
        Process hammer =
                Cli.start(Map.of(), "hammer", "stock:7", "--store", store(), "--processes", "2", "--seconds", "60");
        Awaitility.await().until(() -> Files.exists(directory.resolve("locks/belay-store")));
        Process watch = Cli.start(Map.of(), "locks", "stock:", "--watch", "--interval", "200ms", "--store", store());
        try (BufferedReader screen = watch.inputReader();
                BufferedReader progress = hammer.inputReader()) {
            CompletableFuture<Void> read = CompletableFuture.runAsync(() -> drain(progress));
            int looks = 0;
            boolean waited = false;
            for (String line = screen.readLine(); line != null && !(looks > 3 && waited); line = screen.readLine()) {
                assertThat(line).as("for a terminal alone").doesNotContain("\u001b");
                looks += line.contains("(Ctrl-C ends)") ? 1 : 0;
                waited |= line.startsWith("stock:") && line.contains("hammer-");
            }
            assertThat(waited).as("a holder was seen in %s looks", looks).isTrue();
            hammer.destroy(); // else closing its output waits for who reads it
            read.get(Pace.seconds(), TimeUnit.SECONDS);
        } finally {
            watch.destroy();
            hammer.destroy();
            watch.waitFor(Pace.seconds(), TimeUnit.SECONDS);
            hammer.waitFor(Pace.seconds(), TimeUnit.SECONDS);
            watch.destroyForcibly();
            hammer.destroyForcibly();
        }
    }
}
