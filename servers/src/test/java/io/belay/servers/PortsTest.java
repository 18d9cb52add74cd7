package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
