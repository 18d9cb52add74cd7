package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.spi.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumUrlTest {
    @Test
    void commasAndHashesOfMembersAreTheirs() {
        QuorumUrl url = QuorumUrl.parse("quorum:redis://u:p#,@a,b:1/2?x=y,rediss://:q@c?timeout=1s,unix:/d"
                + "#longest-lease=90s&member-timeout=50ms");
        assertThat(url.members()).containsExactly("redis://u:p#,@a,b:1/2?x=y", "rediss://:q@c?timeout=1s", "unix:/d");
        assertThat(url.longestLease()).isEqualTo(Duration.ofSeconds(90));
        assertThat(url.memberTimeout()).isEqualTo(Duration.ofMillis(50));
        assertThat(url.label(1)).isEqualTo("member 1 of 3 (redis://a,b:1)");
        assertThat(url.label(2)).isEqualTo("member 2 of 3 (rediss://c)");
        assertThat(url.label(3)).isEqualTo("member 3 of 3");
    }

    @Test
    void optionsHaveDefaults() {
        QuorumUrl url = QuorumUrl.parse("quorum:redis://a,redis://b,redis://c");
        assertThat(url.longestLease()).isEqualTo(Duration.ofSeconds(60));
        assertThat(url.memberTimeout()).isEqualTo(Duration.ofMillis(200));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            quorum:                                   | has no URL as its member 1
            quorum:redis://:secret@a,file:/b          | member 2 of the kind file:
            quorum:redis://:secret@a,quorum:redis://b | member 2 of the kind quorum:
            quorum:redis-cluster://:secret@a,redis://b | member 1 of the kind redis-cluster:
            quorum:redis://a,redis-sentinel://:secret@b,c?master=m | member 2 of the kind redis-sentinel:, which is not one server
            quorum:rediss-sentinel://:secret@b?master=m,redis://a | member 1 of the kind rediss-sentinel:
            quorum:redis://a,etcd://:secret@b,redis://c | member 2 of the kind etcd:, which cannot vote
            quorum:redis://a,zookeepers://b,redis://c | member 2 of the kind zookeepers:, which cannot vote
            quorum:jdbc:postgresql://:secret@b/x,redis://c | member 1 of the kind jdbc:, which cannot vote
            quorum:mongodb+srv://:secret@b/x,redis://c | member 1 of the kind mongodb+srv:, which cannot vote
            quorum:redis://:secret@a,memory:x,memory:y | member 2 of the kind memory:, which each process has for itself
            quorum:memory:x,redis://:secret@a,memory:y | member 1 of the kind memory:, which each process has for itself
            quorum:redis://:secret@a,redis://b,redis://:secret@a | names a member twice
            quorum:redis://:secret@a#lease=3s         | unknown option
            quorum:redis://:secret@a#                 | unknown option
            quorum:redis://:secret@a#longest-lease=3  | is not written like
            quorum:redis://:secret@a#longest-lease=9ms | from 1000 ms to 24 hours
            quorum:redis://:secret@a#longest-lease=3s&longest-lease=3s | twice
            """)
    void whatIsWrongIsSaidWithoutTheUrl(String url, String message) {
        assertThatThrownBy(() -> QuorumUrl.parse(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    @Test
    void aMemberOfAnUnknownKindIsNamedByItsPlace() {
        assertThatThrownBy(() -> Belay.connect("quorum:nosuch://:secret@h:1,nosuch://b"))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("member 1 of 2 (nosuch://h:1), which has the unknown scheme 'nosuch:'")
                .hasMessageNotContaining("secret");
    }
}
