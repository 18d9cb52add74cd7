package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.ChildJvm;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real users in one directory; only root may start processes as others. */
@Tag("processes")
@Tag("long")
class UserTest {
    private static final int OWNER = 65_534;
    private static final int OTHER = 12_345;
    private static final int GROUP = 23_456;
    private static final String STRICT = "077";

    @TempDir
    private static Path classes;

    @TempDir
    Path temp;

    private final List<ChildJvm> children = new ArrayList<>();
    private Path directory;

    @BeforeEach
    void begin() throws IOException, InterruptedException {
        assumeTrue(mayBeOthers(), "only root may start processes as other users");
        if (!Files.exists(classes.resolve("io"))) {
            UserChild.copyClasses(classes);
            Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        directory = Files.createDirectory(temp.resolve("locks"));
        belongs(OWNER, 0, 0755);
    }

    private static boolean mayBeOthers() throws InterruptedException {
        try {
            return new ProcessBuilder("setpriv", "--reuid=" + OTHER, "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void end() {
        children.forEach(ChildJvm::close);
    }

    private void belongs(int user, int group, int mode) throws IOException {
        Files.setAttribute(directory, "unix:uid", user);
        Files.setAttribute(directory, "unix:gid", group);
        Files.setAttribute(directory, "unix:mode", mode);
    }

    private ChildJvm start(String umask, String parameters, String... user) throws IOException {
        ChildJvm child = UserChild.start(classes, umask, "file:" + directory + parameters, user);
        children.add(child);
        return child;
    }

    private ChildJvm owner() throws IOException {
        return start(STRICT, "", "--reuid=" + OWNER, "--regid=" + OWNER, "--clear-groups");
    }

    private ChildJvm member(int user, String parameters) throws IOException {
        return start(STRICT, parameters, "--reuid=" + user, "--regid=" + user, "--groups=" + GROUP);
    }

    private ChildJvm root(String umask, String parameters) throws IOException {
        return start(umask, parameters, "--reuid=0");
    }

    /** Each file with its owner. */
    private Map<String, Object> files() throws IOException {
        Map<String, Object> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.toList()) {
                found.put(directory.relativize(path).toString(), Files.getAttribute(path, "unix:uid"));
            }
        }
        return found;
    }

    @Test
    void rootLeavesNothingThatTheOwnerCannotRead() throws IOException {
        for (String umask : List.of("022", STRICT)) {
            assertThat(root(umask, "").line())
                    .matches("refused: .* belongs to user nobody, who could not read what this process \\(user root\\)"
                            + " leaves there: run it as nobody, or add \\?readonly=true .*");
        }
        assertThat(files()).as("nothing was written").hasSize(1);
        ChildJvm holder = owner();
        assertThat(holder.line()).isEqualTo("open");
        assertThat(holder.ask("enter")).isEqualTo("GRANTED");
        Map<String, Object> before = files();
        assertThat(root(STRICT, "").line()).contains("belongs to user nobody");
        assertThat(files()).isEqualTo(before);
        ChildJvm next = owner();
        assertThat(next.line()).isEqualTo("open");
        assertThat(next.ask("enter")).isEqualTo("WAITING");
    }

    @Test
    void whoeverLooksWritesAndBuriesNothing() throws Exception {
        ChildJvm holder = owner();
        assertThat(holder.line()).isEqualTo("open");
        try (Store store = new FileStoreProvider().open("file:" + directory + "?readonly=true", 7, new Client.Deaf())) {
            assertThat(UserChild.claims(store)).isZero();
            assertThat(holder.ask("enter")).isEqualTo("GRANTED");
            Map<String, Object> before = files();
            assertThat(UserChild.claims(store)).isEqualTo(1);
            ChildJvm second = root(STRICT, "?readonly=true");
            assertThat(second.line()).isEqualTo("open");
            assertThat(second.ask("inspect")).isEqualTo("1");
            assertThat(second.ask("enter")).contains("says readonly=true", "leave it out");
            assertThat(files()).isEqualTo(before);
            holder.kill();
            assertThat(UserChild.claims(store)).as("claims of a dead process").isEqualTo(1);
            assertThat(files()).isEqualTo(before);
            assertThat(owner().line()).isEqualTo("open");
            assertThat(UserChild.claims(store)).isZero();
        }
    }

    @Test
    void whoMayNotReadIsToldSo() throws IOException {
        assertThat(owner().line()).isEqualTo("open");
        Path entrance = directory.resolve(Entrance.FILE);
        Files.setAttribute(entrance, "unix:mode", 0);
        assertThat(owner().line())
                .contains("cannot use " + directory + ": no access to " + entrance
                        + ": give user nobody the rights to read and write it");
        Files.setAttribute(entrance, "unix:mode", 0600);
        assertThat(member(OTHER, "?readonly=true").line()).contains("may not be read by this process (user 12345)");
        belongs(OWNER, 0, 0700);
        assertThat(member(OTHER, "?readonly=true").line()).contains(directory + " may not be read by this process");
        assertThat(member(OTHER, "").line()).contains("may not be written by this process (user 12345)");
    }

    @Test
    void theMembersOfAGroupShareADirectoryWhateverTheirUmask() throws Exception {
        belongs(OWNER, GROUP, 0770);
        ChildJvm one = member(OWNER, "?group=true");
        ChildJvm two = member(OTHER, "?group=true");
        ChildJvm root = root(STRICT, "?group=true");
        for (ChildJvm child : List.of(one, two, root)) {
            assertThat(child.line()).isEqualTo("open");
        }
        assertThat(one.ask("enter")).isEqualTo("GRANTED");
        assertThat(two.ask("enter")).isEqualTo("WAITING");
        assertThat(root.ask("enter")).isEqualTo("WAITING");
        assertThat(one.ask("leave")).isEqualTo("LEFT");
        assertThat(two.ask("await")).isEqualTo("true");
        two.kill();
        assertThat(root.ask("await")).as("told after the holder's death").isEqualTo("true");
        assertThat(one.ask("inspect")).isEqualTo("1");
        root.kill();
        ChildJvm last = member(OTHER, "?group=true");
        assertThat(last.line()).isEqualTo("open");
        assertThat(last.ask("enter")).isEqualTo("GRANTED");
    }

    @Test
    void whatIsMadeIsTheOwnersAloneWhateverTheUmask() throws IOException {
        for (String umask : List.of("777", "000")) {
            directory = temp.resolve("of " + umask);
            Files.createDirectory(directory);
            belongs(OWNER, 0, 0755);
            ChildJvm first = start(umask, "", "--reuid=" + OWNER, "--regid=" + OWNER, "--clear-groups");
            assertThat(first.line()).isEqualTo("open");
            assertThat(first.ask("enter")).isEqualTo("GRANTED");
            ChildJvm second = owner();
            assertThat(second.line()).isEqualTo("open");
            assertThat(second.ask("enter")).isEqualTo("WAITING");
            for (String name : files().keySet()) {
                Path made = directory.resolve(name);
                if (!name.isEmpty()) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                            .as("%s, umask %s", made, umask)
                            .isIn("rw-------", "rwx------");
                }
            }
        }
    }

    @Test
    void aDirectoryOfAGroupIsJoinedOnlyByThoseWhoAskForIt() throws IOException {
        belongs(OWNER, GROUP, 0770);
        assertThat(member(OWNER, "").line())
                .matches("refused: the group 23456 may write to .*: add \\?group=true .* or run chmod g-w on it");
        assertThat(files()).hasSize(1);
    }

    @Test
    void whoMayNotGiveFilesToTheGroupLeavesNone() throws IOException {
        belongs(OWNER, GROUP, 0770);
        assertThat(start(STRICT, "?group=true", "--reuid=" + OWNER, "--regid=" + OWNER, "--clear-groups")
                        .line())
                .matches("refused: the group 23456 shares .*, and this process \\(user nobody\\) may not give it files:"
                        + " make the user a member of the group");
        assertThat(files()).hasSize(1);
    }

    @Test
    void anAreaOfOneUserIsNotTakenForAGroups() throws IOException {
        assertThat(owner().line()).isEqualTo("open");
        belongs(OWNER, GROUP, 0770);
        assertThat(member(OTHER, "?group=true").line()).contains("refused: ", "whose URL is without group=true");
    }

    @Test
    void aGroupThatMayNotWriteIsNamed() throws IOException {
        String url = "file:" + directory + "?group=true";
        assertThatThrownBy(() -> new FileStoreProvider().open(url, 7, new Client.Deaf()))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("the group root may not write to " + directory, "run chmod g+rwx on it");
        String missing = "file:" + temp.resolve("missing") + "?group=true";
        assertThatThrownBy(() -> new FileStoreProvider().open(missing, 7, new Client.Deaf()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("make it with install -d -m 2770 -g GROUP " + temp.resolve("missing"));
    }
}
