package ownstore;

import io.belay.document.Documents;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The suite that every store passes, on a server of its own for each test. */
@Tag("single")
@Tag("long")
class ValueStoreTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new ValueSpec(new ValueServer(0));
    }

    private record ValueSpec(ValueServer values) implements StoreSpec {
        @Override
        public String url() {
            return values.url();
        }

        @Override
        public Optional<Documents> documents() {
            return Optional.of(new ValueDocuments(url()));
        }

        /** As every store on a template: clients look by themselves at what others do. */
        @Override
        public boolean actsUnasked() {
            return true;
        }

        @Override
        public void close() {
            values.close();
        }
    }
}
