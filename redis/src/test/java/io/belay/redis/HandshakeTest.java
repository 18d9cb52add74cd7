package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    /**
     * What a provider tells on another thread made some 7 of 100 connections fail with "Currently not connected": Lettuce
     * then completes the connection on that thread, before its own has finished.
     */
    @ParameterizedTest
    @ValueSource(strings = {"redis://u:p@h", "redis://:p@h", "unix:/s?user=u&password=p"})
    void aPasswordIsAtHand(String url) {
        RedisURI uri = Settings.parse(url).uri(null);
        assertThat(uri.getCredentialsProvider()).isInstanceOf(ImmediateRedisCredentialsProvider.class);
    }

    /** CLIENT SETINFO takes a right that nothing else needs, and fills the server's list of denied commands without it. */
    @ParameterizedTest
    @ValueSource(strings = {"redis://h", "unix:/s"})
    void lettuceDoesNotIntroduceItself(String url) {
        RedisURI uri = Settings.parse(url).uri(null);
        assertThat(uri.getLibraryName() + uri.getLibraryVersion()).isEmpty();
    }
}
