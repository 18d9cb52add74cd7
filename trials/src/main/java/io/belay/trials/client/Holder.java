package io.belay.trials.client;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Which client was granted a lock last, in memory that all processes share: so that faults can strike holders. */
public final class Holder {
    private final MappedByteBuffer memory;
    private final int index;

    private Holder(MappedByteBuffer memory, int index) {
        this.memory = memory;
        this.index = index;
    }

    /** As the client of this index. */
    public static Holder open(Path directory, int index) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("holder"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new Holder(file.map(FileChannel.MapMode.READ_WRITE, 0, Integer.BYTES), index);
        }
    }

    void set() {
        memory.putInt(0, index);
    }

    /** The index of the client that was granted a lock last. */
    public int get() {
        return memory.getInt(0);
    }
}
