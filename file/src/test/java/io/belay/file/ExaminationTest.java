package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExaminationTest {
    private static final HostIdentity HOST = new HostIdentity("boot", "clock", "aa");
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final long PLENTY = 1L << 40;

    @TempDir
    Path temp;

    private String seen(String type, boolean usable, Set<PosixFilePermission> permissions, long space) {
        return seen(new Examination(temp, type, usable, new Access(false), permissions, space).findings());
    }

    private static String seen(List<Finding> findings) {
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.finding()).endsWith(".").doesNotContain("\n");
            assertThat(finding.cure()).endsWith(".").doesNotContain("\n");
        });
        return findings.stream()
                .map(finding -> finding.severity() + " " + finding.subject())
                .collect(Collectors.joining(", "));
    }

    @Test
    void whatIsAsItShouldBeIsNotMentioned() {
        assertThat(seen("ext4", true, PRIVATE, PLENTY)).isEmpty();
        assertThat(seen("xfs", true, PosixFilePermissions.fromString("rwxr-xr-x"), 64 << 20))
                .isEmpty();
        assertThat(seen("apfs", true, Set.of(), PLENTY)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "fuse.sshfs"})
    void aFileSystemOfManyMachinesIsADanger(String type) {
        assertThat(seen(type, true, PRIVATE, PLENTY)).isEqualTo("DANGER file system");
    }

    @Test
    void everythingAtOnce() {
        assertThat(seen("nfs", false, PosixFilePermissions.fromString("rwxrwxrwx"), 0))
                .isEqualTo("DANGER file system, WARNING rights, WARNING rights, WARNING space");
        assertThat(seen("tmpfs", true, PRIVATE, (64 << 20) - 1)).isEqualTo("WARNING space, NOTE file system");
    }

    @Test
    void rightsOfOthers() throws IOException {
        Client.open(temp, HOST, new FakeClock().clock()).close();
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(rights()).isEmpty();
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwx----w-"));
        assertThat(rights()).singleElement().satisfies(finding -> {
            assertThat(finding.finding()).contains("Every user", temp.toString());
            assertThat(finding.cure()).contains("chmod o-w " + temp);
        });
    }

    @Test
    void aGroupThatTheUrlDoesNotNameOrThatMayNotWrite() throws IOException {
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(rights()).singleElement().satisfies(finding -> {
            assertThat(finding.finding()).contains("The group of " + temp + " may write there");
            assertThat(finding.cure()).contains("Add ?group=true", "chmod g-w " + temp);
        });
        assertThat(Examination.of(temp, new Access(true), HOST).findings())
                .noneMatch(finding -> finding.subject().equals("rights"));
        Files.setPosixFilePermissions(temp, PRIVATE);
        assertThat(Examination.of(temp, new Access(true), HOST).findings())
                .anyMatch(finding -> finding.cure().contains("chmod g+rwx " + temp));
    }

    private List<Finding> rights() {
        return Examination.of(temp, new Access(false), HOST).findings().stream()
                .filter(finding -> finding.subject().equals("rights"))
                .toList();
    }

    @Test
    void aReadOnlyFileSystem() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "ro,size=1m,mode=700", "tmpfs", mount.toString()) == 0, "may not");
        try {
            assertThat(seen(Examination.of(mount, new Access(false), HOST).findings()))
                    .isEqualTo("WARNING rights, WARNING space, NOTE file system");
        } finally {
            run("umount", "-l", mount.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Test
    void whatOpeningRefusesIsRefused() throws IOException {
        refused(temp.resolve("missing"), "does not exist");
        refused(Files.createFile(temp.resolve("file")), "is not a directory");
        refused(temp, "holds other files");
        Path others = Files.createDirectory(temp.resolve("others"));
        Files.writeString(others.resolve(FormatFile.FILE), "format=1\nhost=bb\n");
        refused(others, "belongs to another machine");
    }

    private static void refused(Path directory, String message) {
        assertThatThrownBy(() -> Examination.of(directory, new Access(false), HOST))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll(directory.toString(), message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void lookingChangesNothing() throws IOException {
        Examination.of(temp, new Access(false), HOST);
        assertThat(temp).isEmptyDirectory();
        Files.writeString(temp.resolve(FormatFile.FILE), "format=1\n");
        Examination.of(temp, new Access(false), HOST);
        assertThat(temp.resolve(FormatFile.FILE)).hasContent("format=1");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).hasSize(1);
        }
    }
}
