package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While a server is down nobody else is given its port. */
@Tag("selftest")
class PortsTest {
    private static final int MANY = 100;

    /** Another process that takes ports. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) {
            Stream.generate(Ports::free).limit(MANY).forEach(System.out::println);
        }
    }

    /** Else another user's processes would share the ports of one slice, as they can lock none. */
    @Test
    void allUsersMayLockWhatOneHasMade(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("slice");
        for (int i = 0; i < 2; i++) { // made, and there already
            Ports.open(file).close();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-rw-rw-");
        }
    }

    @Test
    void noneIsGivenAgainSoonHereOrInAnotherProcess() throws Exception {
        List<Integer> ports =
                new ArrayList<>(Stream.generate(Ports::free).limit(MANY).toList());
        try (ChildJvm other = ChildJvm.start(Other.class)) {
            for (int i = 0; i < MANY; i++) {
                ports.add(Integer.valueOf(other.line()));
            }
        }
        assertThat(ports).doesNotHaveDuplicates();
    }
}
