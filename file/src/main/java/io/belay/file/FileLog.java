package io.belay.file;

import io.belay.support.Log;
import io.belay.support.LogName;

/** The log of all that a directory's locks have to tell. */
final class FileLog {
    static final Log LOG = Log.of(LogName.STORE);

    private FileLog() {}
}
