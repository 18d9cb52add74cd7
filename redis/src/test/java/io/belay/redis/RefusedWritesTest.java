package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that refuse all that writes: what is held cannot be renewed there, and its holder is told at its deadline. */
class RefusedWritesTest {
    private static Belay connect(RedisServer server) {
        LockOptions shortly = LockOptions.defaults().withLease(Duration.ofSeconds(1));
        return Belay.connect(server.url(), BelayOptions.defaults().withLockDefaults(shortly));
    }

    private static void assertRefused(Belay belay, Lease held, String cure) {
        assertThat(Told.unavailable(
                        () -> Premise.answered(() -> belay.lock("other").tryAcquire())))
                .contains("'other'")
                .endsWith(cure);
        await().until(() -> !held.isHeld());
    }

    private static List<Finding> dangers(RedisServer server) {
        return BelayAdmin.examine(server.url()).stream()
                .filter(finding -> finding.severity() == Finding.Severity.DANGER)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatCannotWriteItsSnapshot(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Belay belay = connect(server)) {
            assertThat(dangers(server)).isEmpty();
            Lease held = belay.lock("held").acquire();
            letSnapshotsFail(server);
            assertRefused(
                    belay,
                    held,
                    " refuses all that writes, as its last snapshot or its append-only file could not be written: see its"
                            + " log, or set stop-writes-on-bgsave-error no where locks matter more than snapshots");
            assertThat(dangers(server)).extracting(Finding::subject).containsExactly("persistence");
            server.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(dangers(server)).isEmpty();
            belay.lock("other").acquire().close();
        }
    }

    /** A directory has the name of its file. */
    private static void letSnapshotsFail(RedisServer server) throws IOException {
        String directory = server.command("CONFIG", "GET", "dir").split("\n", 2)[1];
        Files.createDirectory(Path.of(directory).resolve("dump.rdb"));
        server.command("CONFIG", "SET", "save", "3600 1");
        server.command("BGSAVE");
        await().until(() -> server.command("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
    }

    @ParameterizedTest
    @EnumSource
    void aMasterWithoutTheReplicaThatItAsksFor(Version version) throws Exception {
        try (RedisServer master = RedisServer.start(version);
                RedisServer replica =
                        RedisServer.builder(version).replicaOf(master.port()).start();
                Belay belay = connect(master)) {
            replica.awaitSync(master);
            Lease held = belay.lock("held").acquire();
            master.command("CONFIG", "SET", "min-replicas-to-write", "1");
            replica.kill();
            // A master serves what it reads together with the end of its replica's connection before it counts anew.
            await().until(() -> master.command("INFO", "replication").contains("min_slaves_good_slaves:0"));
            assertRefused(
                    belay,
                    held,
                    " has fewer replicas than its min-replicas-to-write asks for: bring them back, or lower that");
        }
    }
}
