package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlLoginTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "host, none",
                "a:1/x?ca=/b, none",
                "a:1/x?ca=/run/shop@1.service/b, none",
                "u:p@host, u:p",
                "u:p@ss@host?ca=/b, u:p@ss",
                "u:p@ss@[::1]:5/x?ca=/run/shop@1.service/b, u:p@ss",
                "u:p@ss?w=rd@host?ca=/run/ca@shop.pem, u:p@ss?w=rd",
                "u:p@ss?ca/word@host?timeout=1s, u:p@ss?ca/word",
                "u:p@b/c@host/x?timeout=1s&ca=@, u:p@b/c",
                "u:p@h?other=/x@y, u:p@h?other=/x",
                "a:1?password=se@cret, none",
                "u:p@ss@a?user=u&PASSWD=se@cret, u:p@ss"
            })
    void endsBeforeTheHosts(String text, String login) {
        int end = UrlLogin.end(text, Set.of("ca", "timeout"));
        assertThat(end < 0 ? null : text.substring(0, end)).isEqualTo(login);
    }

    /** However long it is, and whatever it is like. */
    @ParameterizedTest
    @CsvSource({"@a", "a,", "a:1,", "@", "[::1],", "@a/"})
    void takesNoLongTime(String part) {
        assertThat(UrlLogin.end(part.repeat(5_000) + "?", Set.of("ca")))
                .isEqualTo(part.repeat(5_000).lastIndexOf('@'));
    }
}
