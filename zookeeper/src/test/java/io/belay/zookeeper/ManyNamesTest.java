package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More names than ZooKeeper's clients take in one message, unless they are told to: the connection would break. */
@Tag("consensus")
@Tag("long")
class ManyNamesTest {
    private static final int NAMES = 3_000;

    /** As long as a name may be. */
    private static String name(int number) {
        return "x".repeat(508) + (1000 + number);
    }

    @Test
    void areListedInOneMessage() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Belay belay = Belay.connect("zookeeper://" + server.address());
                Lease held = belay.lock("held").acquire()) {
            Settings settings = new ZooKeeperUrl("zookeeper://" + server.address()).parse();
            try (Connection connection = Connection.open(settings, () -> {})) {
                List<CompletableFuture<?>> made = new ArrayList<>();
                for (int i = 0; i < NAMES; i++) {
                    String path = NodeNames.directory(settings.root(), name(i));
                    made.add(connection.session().create(path, new byte[0], settings.acl(), CreateMode.PERSISTENT));
                }
                CompletableFuture.allOf(made.toArray(CompletableFuture<?>[]::new))
                        .join();
            }
            assertThat(belay.admin().names("")).hasSize(NAMES + 1).contains(name(0), name(NAMES - 1));
            assertThat(belay.admin().names("h")).containsExactly("held");
            assertThat(held.isHeld()).isTrue();
        }
    }
}
