package io.belay.trials.registry.adapter;

/** What starts a server for Spring's tests. */
public interface RedisContainerTest {
    static RedisConnectionFactory connectionFactory() {
        return new RedisConnectionFactory();
    }
}
