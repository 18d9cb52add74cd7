package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointTest {
    private static final Access OWN = new Access(false);

    @TempDir
    Path boot;

    private Endpoint.Outcome probe(boolean refusalTells) throws Exception {
        return new Endpoint(boot, 2, OWN, refusalTells).probe(1);
    }

    /** As with macOS, whose kernel refuses connections also where the queue of a stopped process is full. */
    @Test
    void whereARefusalDoesNotTellTheProcessHasToBeGone() throws Exception {
        new Endpoint(boot, 1, OWN, false).listen().close(); // its socket refuses connections from now on
        assertThat(probe(true)).isEqualTo(Endpoint.Outcome.REFUSED);
        assertThat(probe(false)).as("this process lives").isEqualTo(Endpoint.Outcome.BUSY);

        Path number = boot.resolve("0000000000000001.pid");
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.writeString(number, Long.toString(ended.pid()));
        assertThat(probe(false)).isEqualTo(Endpoint.Outcome.REFUSED);

        Files.writeString(number, "");
        assertThat(probe(false)).as("nothing is known").isEqualTo(Endpoint.Outcome.BUSY);
        Files.delete(number);
        assertThat(probe(false)).as("nothing is known").isEqualTo(Endpoint.Outcome.BUSY);

        Files.delete(Endpoint.file(boot, 1));
        assertThat(probe(false)).isEqualTo(Endpoint.Outcome.MISSING);
    }
}
