/** The guard of files: whoever has lost a lock cannot replace what its successor has written. The lock may be in any store. */
@NullMarked
package io.belay.file.fence;

import org.jspecify.annotations.NullMarked;
