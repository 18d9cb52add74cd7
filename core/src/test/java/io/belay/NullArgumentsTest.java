package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Null where nothing says that it may be is refused at once, by its name, before anything is done. Seen in a process of its
 * own, as Lincheck takes the names of parameters away from the classes that it has worked on.
 */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        List<String> lines = new ArrayList<>();
        try (ChildJvm child = ChildJvm.start(NullArguments.class)) {
            for (String line = child.line(); line != null; line = child.line()) {
                lines.add(line);
            }
        }
        assertThat(lines).containsExactly(NullArguments.END);
    }
}
