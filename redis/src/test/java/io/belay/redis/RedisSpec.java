package io.belay.redis;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServerBuilder;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Network;
import io.belay.tck.Server;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server of its own, which can be killed and shown another clock, and a proxy before it that disturbs the line. */
final class RedisSpec implements StoreSpec {
    private final RedisServer redis;
    private final TcpProxy proxy;
    private final boolean settable;

    RedisSpec(RedisServer.Version version) throws IOException, InterruptedException {
        settable = version == RedisServer.Version.V6_2 && RedisServer.canSetClock();
        RedisServerBuilder builder = RedisServer.builder(version);
        redis = (settable ? builder.clock(Duration.ZERO) : builder).start();
        proxy = TcpProxy.to(redis);
    }

    @Override
    public String url() {
        return redis.url();
    }

    @Override
    public boolean passesOverTheDeaf() {
        return true;
    }

    @Override
    public boolean damage(String resource) throws IOException {
        redis.command("SET", "belay:" + resource, "rubbish");
        return true;
    }

    @Override
    public Optional<Network> network() {
        return Optional.of(new Line());
    }

    @Override
    public Optional<Server> server() {
        return Optional.of(new Machine());
    }

    @Override
    public void close() {
        proxy.close();
        redis.close();
    }

    private final class Line implements Network {
        @Override
        public String url() {
            return proxy.url();
        }

        @Override
        public void silence() {
            proxy.silence();
        }

        @Override
        public void losePushes() {
            proxy.dropMessages();
        }

        @Override
        public void loseNextAnswer() {
            proxy.loseNextReply();
        }

        /** Of the store's own timeout, two seconds, not of the client's. */
        @Override
        public Duration worksAgainWithin() {
            return Duration.ofSeconds(6);
        }

        @Override
        public List<HalfOpening> halfOpenings() {
            return HalfOpening.of(List.of(proxy::halfOpen));
        }

        @Override
        public void restore() {
            proxy.pass();
        }
    }

    private final class Machine implements Server {
        @Override
        public void kill() {
            redis.kill();
        }

        @Override
        public void restart() {
            try {
                redis.restart();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean canSetClock() {
            return settable;
        }

        @Override
        public void setClock(Duration offset) {
            try {
                redis.setClock(offset);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
