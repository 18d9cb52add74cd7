package io.belay.cli.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.cli.Cli;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as users call it, on a directory: it prints an address and serves until it is ended. */
@Tag("long")
class DashboardCommandTest {
    @TempDir
    private Path directory;

    private Process dashboard(String store) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "a token that nobody guesses\n");
        return Cli.start(
                Map.of(),
                "dashboard",
                "--store",
                store,
                "--listen",
                "127.0.0.1:0",
                "--allow-break",
                "--token-file",
                token.toString());
    }

    @Test
    void aPageIsServedUntilASignalComes() throws Exception {
        String store = "file:" + directory.resolve("locks");
        try (Belay belay = Belay.connect(store);
                Lease lease = belay.lock("stock:7").acquire()) {
            Process process = dashboard(store);
            try (BufferedReader output = process.inputReader()) {
                URI url = URI.create(output.readLine());
                assertThat(url.toString()).matches("http://127\\.0\\.0\\.1:\\d+/");
                HttpClient client = HttpClient.newHttpClient();
                HttpRequest request =
                        HttpRequest.newBuilder(url.resolve("events")).build();
                assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(401);
                HttpResponse<Stream<String>> stream = client.send(
                        HttpRequest.newBuilder(url.resolve("events"))
                                .header("Authorization", "Bearer a token that nobody guesses")
                                .build(),
                        BodyHandlers.ofLines());
                try (Stream<String> lines = stream.body()) {
                    Optional<String> seen =
                            lines.filter(line -> line.contains("\"stock:7\"")).findFirst();
                    assertThat(seen).isPresent();
                }
                assertThat(lease.isHeld()).isTrue();
                process.destroy();
                assertThat(process.waitFor()).isEqualTo(143);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** Or whoever has made the audit's reader die ends holds and leaves no trace. */
    @Test
    void noHoldIsEndedOnceNobodyReadsTheAudit() throws Exception {
        String store = "file:" + directory.resolve("locks");
        try (Belay belay = Belay.connect(store);
                Lease lease = belay.lock("stock:7").acquire()) {
            Process process = dashboard(store);
            try {
                BufferedReader output = process.inputReader(); // the error output is in it
                URI url = URI.create(output.readLine());
                output.close();
                HttpClient client = HttpClient.newHttpClient();
                HttpRequest.Builder request =
                        HttpRequest.newBuilder().header("Authorization", "Bearer a token that nobody guesses");
                String page = client.send(request.uri(url).build(), BodyHandlers.ofString())
                        .body();
                String secret = page.split("belay-page\" content=\"", 2)[1].split("\"", 2)[0];
                String form = "name=stock:7&typed=stock:7&who=Ada&tokens=" + lease.token();
                HttpResponse<String> answer = client.send(
                        request.uri(url.resolve("end"))
                                .header("X-Belay-Page", secret)
                                .POST(BodyPublishers.ofString(form))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body())
                        .isEqualTo("The line for the audit cannot be written, so nothing was ended.\n");
                assertThat(lease.isHeld()).isTrue();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
