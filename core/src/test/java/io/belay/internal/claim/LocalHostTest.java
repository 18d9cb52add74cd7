package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LocalHostTest {
    @TempDir
    Path temp;

    /** As in many a container, which has a name and no file of hosts that knows it. */
    @Test
    void aMachineWithoutAnAddressHasANameAllTheSame() throws Exception {
        Path hosts = Files.createFile(temp.resolve("hosts"));
        try (ChildJvm child = ChildJvm.startWith(
                List.of("env", "-u", "HOSTNAME"),
                List.of("-Djdk.net.hosts.file=" + hosts),
                ChildJvm.classPath(Name.class),
                Name.class)) {
            assertThat(child.line())
                    .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname"))
                            .strip());
        }
    }

    static final class Name {
        private Name() {}

        public static void main(String[] arguments) {
            System.out.println(LocalHost.NAME);
        }
    }
}
