package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer;
import io.belay.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A script that somebody kills has found nothing wrong with the record. */
class KilledScriptTest {
    @ParameterizedTest
    @EnumSource
    void isTriedAgainAndNothingIsToBeRemoved(RedisServer.Version version) throws Exception {
        try (RedisServer server =
                RedisServer.builder(version).options("--lua-time-limit", "1").start()) {
            CompletableFuture<String> script =
                    CompletableFuture.supplyAsync(() -> said(server, "EVAL", "while true do end", "0"));
            await().until(() -> said(server, "SCRIPT", "KILL").equals("OK"));
            String said = script.join();
            assertThat(said).contains("ERR ", "Script killed by user");
            String error = said.substring(said.indexOf("ERR ")); // the command's name is before it
            StoreException told = new Replies(Settings.parse(server.url())).explain(error, "x");
            assertThat(told.isTemporary()).as(error).isTrue();
            assertThat(told).hasMessageContaining("cannot do that now").hasMessageNotContaining("remove");
        }
    }

    private static String said(RedisServer server, String... words) {
        try {
            return server.command(words);
        } catch (Exception e) {
            return String.valueOf(e.getMessage());
        }
    }
}
