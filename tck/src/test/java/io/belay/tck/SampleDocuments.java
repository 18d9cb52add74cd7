package io.belay.tck;

import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.tck.SampleDatabase.Value;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The documents of a {@link SampleDatabase}, with or without a mistake. Nobody is called. */
final class SampleDocuments implements Documents {
    private static final Object IN_THIS_PROCESS = new Object();
    private static final long TEN_SECONDS = 10_000_000;

    private final int port;
    private final Flaw flaw;

    SampleDocuments(int port, Flaw flaw) {
        this.port = port;
        this.flaw = flaw;
    }

    @Override
    public Session connect() {
        return new SampleSession(new SampleConnection(port));
    }

    @Override
    public boolean isFar() {
        return false;
    }

    @Override
    public boolean listen(long client, Bell bell) {
        return false;
    }

    @Override
    public void close() {}

    private final class SampleSession implements Session {
        private final SampleConnection connection;

        SampleSession(SampleConnection connection) {
            this.connection = connection;
        }

        @Override
        public Reading read(Collection<String> resources) {
            List<String> names = List.copyOf(resources);
            List<Value> values = connection.read(names);
            Map<String, Found> found = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                Value value = values.get(i);
                if (value.version() != 0) {
                    found.put(names.get(i), new Found(value.version(), value.bytes()));
                }
            }
            return new Reading(connection.time(), found);
        }

        @Override
        public Set<String> write(List<Change> changes, long notAfter) {
            Set<String> written = new HashSet<>();
            for (Change change : changes) {
                if (write(change, flaw == Flaw.NOT_AFTER_IGNORED ? Long.MAX_VALUE : notAfter)) {
                    written.add(change.resource());
                }
            }
            return written;
        }

        private boolean write(Change change, long notAfter) {
            long forget = flaw == Flaw.KEEPS_WHEN_TO_FORGET && change.before() != 0
                    ? connection.read(List.of(change.resource())).get(0).forget()
                    : change.forget() - (flaw == Flaw.SWEEPS_TOO_EARLY ? TEN_SECONDS : 0);
            Value value = new Value(change.version(), change.state(), forget);
            if (flaw == Flaw.LOCKED_IN_ONE_PROCESS) {
                synchronized (IN_THIS_PROCESS) {
                    return compareFirst(change, value, notAfter);
                }
            } else if (flaw == Flaw.COMPARED_BEFORE_WRITTEN) {
                return compareFirst(change, value, notAfter);
            }
            boolean blind =
                    flaw == Flaw.VERSIONS_NOT_COMPARED || (flaw == Flaw.MADE_OVER_ANOTHER && change.before() == 0);
            return connection.write(change.resource(), !blind, change.before(), value, notAfter);
        }

        private boolean compareFirst(Change change, Value value, long notAfter) {
            long present = connection.read(List.of(change.resource())).get(0).version();
            return present == change.before()
                    && connection.write(change.resource(), false, change.before(), value, notAfter);
        }

        @Override
        public boolean reserve(String resource, long version, long over) {
            Value value = connection.read(List.of(resource)).get(0);
            return value.version() != 0
                    && value.version() > over
                    && connection.write(
                            resource,
                            true,
                            value.version(),
                            new Value(version, value.bytes(), value.forget()),
                            Long.MAX_VALUE);
        }

        @Override
        public Store.NamePage names(String prefix, String cursor) {
            // With the mistake, what LIKE makes of it.
            List<String> page =
                    connection.names(flaw == Flaw.NAMES_BY_PATTERN ? prefix.replaceFirst("_.*", "") : prefix, cursor);
            boolean last = page.size() < SampleDatabase.PAGE;
            boolean skips = flaw == Flaw.NAMES_SKIPPED && !cursor.isEmpty();
            return Store.NamePage.of(
                    page.stream().skip(skips ? 1 : 0).toList(),
                    last ? Optional.empty() : Optional.of(page.get(page.size() - 1)));
        }

        @Override
        public void ring(Collection<Call> calls) {}

        @Override
        public boolean sweep() {
            return connection.sweep(flaw == Flaw.SWEEPS_ALL) && flaw != Flaw.SWEEPS_ALL;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
