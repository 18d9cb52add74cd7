package io.belay.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("selftest")
@Tag("long")
class RespFramesTest {
    private static final List<String> FRAMES = List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":-12\r\n",
            "$5\r\na\r\nbc\r\n",
            "$0\r\n\r\n",
            "$-1\r\n",
            "*-1\r\n",
            "*0\r\n",
            "*2\r\n*2\r\n:1\r\n$-1\r\n*1\r\n*0\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n%1\r\n+c\r\n_\r\n",
            "~2\r\n#t\r\n,3.14\r\n",
            "(3492890328409238509324850943850943825024385\r\n",
            "=7\r\ntxt:abc\r\n",
            "!6\r\nERR no\r\n",
            "|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n|1\r\n+k\r\n*1\r\n+v\r\n:2\r\n",
            ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n",
            "%0\r\n",
            ">0\r\n");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 10_000})
    void whatIsCutAnywhereIsPutTogetherAgain(int length) throws Exception {
        byte[] stream = String.join("", FRAMES).getBytes(UTF_8);
        RespFrames frames = new RespFrames();
        List<String> split = new ArrayList<>();
        for (int at = 0; at < stream.length; at += length) {
            byte[] piece = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + length));
            frames.split(piece, piece.length).forEach(frame -> split.add(new String(frame, UTF_8)));
        }
        assertThat(split).isEqualTo(FRAMES);
    }

    @Test
    void aLongStringComesWhole() throws Exception {
        String body = "x".repeat(1_000_000);
        byte[] stream = ("$1000000\r\n" + body + "\r\n+OK\r\n").getBytes(UTF_8);
        List<byte[]> frames = new RespFrames().split(stream, stream.length);
        assertThat(frames).hasSize(2);
        assertThat(RespText.values(frames.get(0))).containsExactly(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello\r\n", "*x\r\n", "$99999999999\r\n", "*1\r\n?\r\n"})
    void whatIsNoRespIsRefused(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThatThrownBy(() -> new RespFrames().split(bytes, bytes.length))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not RESP");
    }

    @Test
    void messagesAreKnownInBothProtocols() {
        assertThat(FRAMES)
                .filteredOn(frame -> RespText.isMessage(frame.getBytes(UTF_8)))
                .containsExactly(">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n");
        assertThat(RespText.isMessage(RespText.command("message", "c", "hi"))).isTrue();
        assertThat(RespText.isMessage(RespText.command("pmessage", "c*", "c", "hi")))
                .isTrue();
        assertThat(RespText.isMessage(RespText.command("subscribe", "c", "1"))).isFalse();
        assertThat(RespText.isMessage(RespText.command("messages"))).isFalse();
    }

    @Test
    void valuesAreReadInTheirOrder() {
        String frame = "*4\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n*-1\r\n$2\r\nü\r\n";
        assertThat(RespText.values(frame.getBytes(UTF_8))).containsExactly("a", "1", "(nil)", "(nil)", "ü");
    }
}
