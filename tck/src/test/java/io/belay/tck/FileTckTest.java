package io.belay.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileTckTest extends StoreTck {
    @TempDir
    Path directory;

    @Override
    protected StoreSpec open() throws IOException {
        String url = "file:" + Files.createTempDirectory(directory, "store");
        return () -> url;
    }
}
