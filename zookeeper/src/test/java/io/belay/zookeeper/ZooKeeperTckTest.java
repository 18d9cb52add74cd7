package io.belay.zookeeper;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

@Tag("consensus")
class ZooKeeperTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new ZooKeeperSpec();
    }
}
