package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.ChildJvm;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names that were tried once by threads that have ended leave nothing behind; seen in a process with a heap of its own. */
@Tag("single")
@Tag("long")
class TriedNamesTest {
    @Test
    void namesThatWereTriedOnceLeaveNothingBehind() throws Exception {
        try (ChildJvm child = ChildJvm.start(TriedNames.class, "100000")) {
            long[] left = Stream.of(String.valueOf(child.line()).split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            assertThat(left[0]).as("gates and claims").isZero();
            assertThat(left[1]).as("levels").isZero();
            assertThat(left[2]).as("bytes").isLessThan(5_000_000);
        }
    }
}
