package io.belay.zookeeper;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;

class ZooKeeperTckTest extends StoreTck {
    @Override
    protected StoreSpec open() throws IOException {
        return new ZooKeeperSpec();
    }
}
