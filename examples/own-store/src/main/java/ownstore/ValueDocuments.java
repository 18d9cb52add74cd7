package ownstore;

import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final URI server;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    ValueDocuments(String url) {
        server = URI.create(url.replaceFirst("^values:", "http:"));
    }

    @Override
    public Session connect() {
        return new ValueSession();
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

    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    private <T> T ask(String path, Body body, Reader<T> reader) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            body.write(new DataOutputStream(bytes));
            HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                    .timeout(TIMEOUT)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray()))
                    .build();
            byte[] answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
            return reader.read(new DataInputStream(new ByteArrayInputStream(answer)));
        } catch (IOException e) {
            throw StoreException.unreachable("no answer from " + server.getAuthority(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unreachable("interrupted while " + server.getAuthority() + " was asked", e);
        }
    }

    private final class ValueSession implements Session {
        @Override
        public Reading read(Collection<String> resources) {
            List<String> names = List.copyOf(resources);
            return ask("/read", out -> writeNames(out, names), in -> {
                long time = in.readLong();
                Map<String, Found> found = new HashMap<>();
                for (String name : names) {
                    Found value = new Found(in.readLong(), in.readNBytes(in.readInt()));
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
                    "/write",
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
                    "/names",
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
            return new Store.NamePage(page, last ? Optional.empty() : Optional.of(page.get(page.size() - 1)));
        }

        @Override
        public void ring(Collection<Call> calls) {}

        @Override
        public boolean sweep() {
            return false; // the server forgets by itself
        }

        @Override
        public void close() {}
    }
}
