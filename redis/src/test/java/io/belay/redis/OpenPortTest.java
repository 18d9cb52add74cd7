package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a server lets in that asks for no password, by what its ports are open to. */
class OpenPortTest {
    private static final AclUser ANYBODY = AclUser.of(List.of("flags", List.of("on", "nopass"), "commands", "+@all"));

    @ParameterizedTest
    @CsvSource({
        "redis://localhost, protected-mode=no port=6379 bind=*+-::*, DANGER password",
        "redis://localhost, protected-mode=no, DANGER password",
        "redis://localhost, protected-mode=no port=6379 bind=127.0.0.1+10.0.0.7, DANGER password",
        "redis://localhost, protected-mode=no port=6379 bind=127.0.0.1+-::1, WARNING password",
        "redis://localhost, protected-mode=yes port=6379 bind=*, WARNING password",
        "unix:/run/redis.sock, protected-mode=no port=0 bind=*, NOTE rights",
        "unix:/run/redis.sock, protected-mode=no port=6379 bind=*, DANGER password",
        "unix:/run/redis.sock, protected-mode=no port=0 tls-port=0 bind=*, NOTE rights",
        "rediss://localhost, protected-mode=no port=0 tls-port=6380 tls-auth-clients=yes bind=*, NOTE rights",
        "rediss://localhost, protected-mode=no port=0 tls-port=6380 tls-auth-clients=optional bind=*, DANGER password",
        "rediss://localhost, protected-mode=no port=6379 tls-port=6380 tls-auth-clients=yes bind=*, DANGER password",
    })
    void whoeverReachesIt(String url, String parameters, String expected) {
        Map<String, String> told = Arrays.stream(parameters.split(" "))
                .map(parameter -> parameter.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].replace('+', ' ')));
        List<Finding> findings = new Examination(
                        Settings.parse(url),
                        new ServerInfo("redis_version:7.2.11\r\naof_enabled:1\r\n"),
                        Optional.of(told),
                        Optional.of(Map.of(AclUser.DEFAULT, ANYBODY)),
                        List.of(),
                        Optional.empty(),
                        List.of())
                .findings();
        assertThat(findings)
                .extracting(finding -> finding.severity() + " " + finding.subject())
                .containsExactly(expected);
    }
}
