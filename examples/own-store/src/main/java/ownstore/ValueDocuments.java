package ownstore;

import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values of a {@link ValueServer} as documents. Nobody is called: who waits looks now and then. */
final class ValueDocuments implements Documents {
    private static final int TIMEOUT_MILLIS = 2_000;

    private final URI server;

    ValueDocuments(String url) {
        server = URI.create(url);
    }

    @Override
    public Session connect() {
        try {
            return new ValueSession();
        } catch (IOException e) {
            throw gone(e);
        }
    }

    private StoreException gone(IOException cause) {
        return StoreException.unreachable("no answer from " + server.getAuthority(), cause);
    }

    @Override
    public boolean isFar() {
        return true;
    }

    @Override
    public boolean listen(long client, Bell bell) {
        return false;
    }

    @Override
    public void close() {}

    private interface Question {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    /** A connection, which one thread uses at a time. */
    private final class ValueSession implements Session {
        private final Socket socket = new Socket();
        private final DataInputStream in;
        private final DataOutputStream out;

        ValueSession() throws IOException {
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        }

        private <T> T ask(byte kind, Question question, Reader<T> reader) {
            try {
                out.writeByte(kind);
                question.write(out);
                out.flush();
                return reader.read(in);
            } catch (IOException e) {
                throw gone(e); // and this session is of no more use
            }
        }

        @Override
        public Reading read(Collection<String> resources) {
            List<String> names = List.copyOf(resources);
            return ask(ValueServer.READ, to -> writeNames(to, names), from -> {
                long time = from.readLong();
                Map<String, Found> found = new HashMap<>();
                for (String name : names) {
                    Found value = new Found(from.readLong(), ValueServer.readBytes(from));
                    if (value.version() != 0) {
                        found.put(name, value);
                    }
                }
                return new Reading(time, found);
            });
        }

        private void writeNames(DataOutputStream out, List<String> names) throws IOException {
            out.writeInt(names.size());
            for (String name : names) {
                out.writeUTF(name);
            }
        }

        @Override
        public Set<String> write(List<Change> changes, long notAfter) {
            Set<String> written = new HashSet<>();
            for (Change change : changes) {
                if (set(change, notAfter)) {
                    written.add(change.resource());
                }
            }
            return written;
        }

        private boolean set(Change change, long notAfter) {
            return ask(
                    ValueServer.WRITE,
                    out -> {
                        out.writeUTF(change.resource());
                        out.writeLong(change.before());
                        out.writeLong(notAfter);
                        out.writeLong(change.version());
                        out.writeLong(change.forget());
                        out.writeInt(change.state().length);
                        out.write(change.state());
                    },
                    DataInputStream::readBoolean);
        }

        @Override
        public boolean reserve(String resource, long version, long over) {
            Found value = read(List.of(resource)).found().get(resource);
            if (value == null || value.version() <= over) {
                return false;
            }
            long forget = ValueServer.AS_BEFORE;
            return set(new Change(resource, value.version(), version, value.state(), forget), Long.MAX_VALUE);
        }

        @Override
        public Store.NamePage names(String prefix, String cursor) {
            List<String> page = ask(
                    ValueServer.NAMES,
                    out -> {
                        out.writeUTF(prefix);
                        out.writeUTF(cursor);
                    },
                    in -> {
                        List<String> names = new ArrayList<>();
                        for (int left = in.readInt(); left > 0; left--) {
                            names.add(in.readUTF());
                        }
                        return names;
                    });
            boolean last = page.size() < ValueServer.PAGE;
            return Store.NamePage.of(page, last ? Optional.empty() : Optional.of(page.get(page.size() - 1)));
        }

        @Override
        public void ring(Collection<Call> calls) {}

        @Override
        public boolean sweep() {
            return false; // the server forgets by itself
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
}
