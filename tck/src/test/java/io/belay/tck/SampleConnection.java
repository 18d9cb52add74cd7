package io.belay.tck;

import io.belay.spi.StoreException;
import io.belay.tck.SampleDatabase.Value;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection to a {@link SampleDatabase}, for one thread. */
final class SampleConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** The database's clock when it was last read, in microseconds. */
    private long time;

    SampleConnection(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        } catch (IOException e) {
            throw StoreException.unreachable("the sample database has gone", e);
        }
    }

    long time() {
        return time;
    }

    List<Value> read(List<String> names) {
        try {
            out.writeByte(SampleDatabase.READ);
            out.writeInt(names.size());
            for (String name : names) {
                out.writeUTF(name);
            }
            out.flush();
            time = in.readLong();
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                long version = in.readLong();
                long forget = in.readLong();
                values.add(new Value(version, in.readNBytes(in.readInt()), forget));
            }
            return values;
        } catch (IOException e) {
            throw StoreException.unreachable("the sample database has gone", e);
        }
    }

    /** Returns the names that begin so and come after one, in their order: {@link SampleDatabase#PAGE} of them, or all. */
    List<String> names(String prefix, String after) {
        try {
            out.writeByte(SampleDatabase.NAMES);
            out.writeUTF(prefix);
            out.writeUTF(after);
            out.flush();
            List<String> names = new ArrayList<>();
            for (int i = in.readInt(); i > 0; i--) {
                names.add(in.readUTF());
            }
            return names;
        } catch (IOException e) {
            throw StoreException.unreachable("the sample database has gone", e);
        }
    }

    /**
     * Writes a value.
     *
     * @param compared whether only if the present one has the version {@code before}
     * @return whether that was done
     */
    boolean write(String name, boolean compared, long before, Value value, long notAfter) {
        try {
            out.writeByte(SampleDatabase.WRITE);
            out.writeUTF(name);
            out.writeBoolean(compared);
            out.writeLong(before);
            out.writeLong(value.version());
            out.writeLong(value.forget());
            out.writeLong(notAfter);
            out.writeInt(value.bytes().length);
            out.write(value.bytes());
            out.flush();
            return in.readBoolean();
        } catch (IOException e) {
            throw StoreException.unreachable("the sample database has gone", e);
        }
    }

    /** Deletes the values that may be deleted by now, or all; returns whether there were any. */
    boolean sweep(boolean all) {
        try {
            out.writeByte(SampleDatabase.SWEEP);
            out.writeBoolean(all);
            out.flush();
            return in.readBoolean();
        } catch (IOException e) {
            throw StoreException.unreachable("the sample database has gone", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no more use either way.
        }
    }
}
