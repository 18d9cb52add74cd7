package io.belay.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.CommandRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
class ChildJvmTest {
    @TempDir
    private Path directory;

    /** As the processes of a command, which a user has told by TMPDIR. */
    @Test
    void aChildHasItsTemporaryFilesWhereItsParentHasThem() throws Exception {
        List<String> options = List.of("-Djava.io.tmpdir=" + directory);
        CommandRun run = CommandRun.of(ChildJvm.start(Parent.class.getName(), options, Map.of()));
        assertThat(run.output().strip()).isEqualTo(directory.toString());
    }

    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws Exception {
            ChildJvm.start(Child.class.getName(), List.of(), Map.of())
                    .getInputStream()
                    .transferTo(System.out);
        }
    }

    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            System.out.println(System.getProperty("java.io.tmpdir"));
        }
    }
}
