package io.belay.file;

import io.belay.support.Log;

/** The log of all that a directory's locks have to tell. */
final class FileLog {
    static final Log LOG = Log.of("io.belay.file");

    private FileLog() {}
}
