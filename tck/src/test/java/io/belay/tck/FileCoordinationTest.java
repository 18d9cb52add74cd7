package io.belay.tck;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileCoordinationTest extends CoordinationContract {
    @TempDir
    Path directory;

    @Override
    protected String url() {
        return "file:" + directory;
    }
}
