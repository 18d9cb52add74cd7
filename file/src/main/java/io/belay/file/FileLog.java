package io.belay.file;

import io.belay.spi.Log;
import io.belay.spi.LogName;

/** The log of all that a directory's locks have to tell. */
final class FileLog {
    static final Log LOG = Log.of(LogName.STORE);

    private FileLog() {}
}
