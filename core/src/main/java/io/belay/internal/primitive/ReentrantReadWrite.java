package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.internal.gate.Hold;
import io.belay.internal.primitive.ReentrantLocks.Levels;
import org.jspecify.annotations.Nullable;

/**
 * The view of a read-write lock as a {@link java.util.concurrent.locks.ReadWriteLock}. A read inside a write is a
 * count on the writer's lease; when the write ends first, that lease is made a reader's.
 */
public final class ReentrantReadWrite extends Primitive implements ReentrantDistributedReadWriteLock {
    private final ReadWrite lock;
    private final ReentrantLock read;
    private final ReentrantLock write;

    public ReentrantReadWrite(ReadWrite lock, ReentrantLocks readers, ReentrantLocks writers) {
        super(ReentrantDistributedReadWriteLock.class, lock.gates, lock.name);
        this.lock = lock;
        read = new Read(lock.readLock(), readers);
        write = new Write(lock.writeLock(), writers);
    }

    private final class Read extends ReentrantLock {
        Read(Lock lock, ReentrantLocks counts) {
            super(lock, counts);
        }

        @Override
        boolean reenter() {
            if (super.reenter()) {
                return true;
            }
            @Nullable Levels writing = write.held();
            if (writing != null) {
                added(writing.lease);
            }
            return writing != null;
        }

        @Override
        boolean giveBack(Lease lease) {
            @Nullable Levels writing = write.levels();
            return writing != null && writing.count > 0 && writing.lease == lease
                    ? !((Hold) lease).isLost()
                    : super.giveBack(lease);
        }
    }

    private final class Write extends ReentrantLock {
        Write(Lock lock, ReentrantLocks counts) {
            super(lock, counts);
        }

        @Override
        boolean waitsForItself() {
            return read.held() != null;
        }

        @Override
        boolean giveBack(Lease lease) {
            @Nullable Levels reading = read.levels();
            if (reading == null || reading.count == 0 || reading.lease != lease) {
                return super.giveBack(lease);
            }
            try {
                reading.lease = lock.downgradeInside(lease);
                return true;
            } catch (LeaseLostException e) {
                return e.isReleased(); // by itself, as its holder has asked for
            }
        }
    }

    @Override
    public ReentrantDistributedLock readLock() {
        return read;
    }

    @Override
    public ReentrantDistributedLock writeLock() {
        return write;
    }
}
