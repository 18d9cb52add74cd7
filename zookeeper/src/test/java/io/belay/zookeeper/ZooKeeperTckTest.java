package io.belay.zookeeper;

import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;

class ZooKeeperTckTest extends StoreTck {
    @Override
    protected StoreSpec open() {
        return new ZooKeeperSpec();
    }
}
