package io.belay.file;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Beside the reference model it is tested in its own package, on a clock that the test moves. */
class FileTckTest extends StoreTck {
    @TempDir
    Path directory;

    @Override
    protected StoreSpec open() throws IOException {
        String url = "file:" + Files.createTempDirectory(directory, "store");
        return new StoreSpec() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public boolean actsUnasked() {
                return true;
            }
        };
    }
}
