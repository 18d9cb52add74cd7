package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.grpc.Status;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of what etcd says, and of answers that are longer than most. */
class EtcdFailuresTest {
    private static StoreException failure(Status status, String text) {
        return new EtcdFailures(EtcdUrl.parse("etcd://127.0.0.1:1"))
                .of(status.withDescription(text).asRuntimeException());
    }

    /** To defragment it would stop a member that has too much to do already. */
    @ParameterizedTest
    @ValueSource(strings = {"etcdserver: too many requests", "gRPC message exceeds maximum size 67108864: 70000000"})
    void notAllThatIsExhaustedIsTheDatabase(String text) {
        assertThat(failure(Status.RESOURCE_EXHAUSTED, text))
                .hasMessageEndingWith("cannot be used now: " + text.replace("etcdserver: ", ""))
                .matches(StoreException::isTemporary);
    }

    @Test
    void whoIsOvertakenByAChangeOfRightsTriesAgain() {
        assertThat(failure(Status.INVALID_ARGUMENT, "etcdserver: revision of auth store is old"))
                .hasMessageContaining("users")
                .matches(StoreException::isTemporary);
        assertThat(failure(Status.INVALID_ARGUMENT, "etcdserver: key is not provided"))
                .matches(refused -> !refused.isTemporary());
    }

    /** The voters beside it are well: by the code of it, since 3.6, waiters and releases would be given up. */
    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "FAILED_PRECONDITION"})
    void aLearnerMakesNothingUnusable(Status.Code code) {
        assertThat(failure(code.toStatus(), "etcdserver: rpc not supported for learner"))
                .hasMessageContaining("has a member that is a learner still: promote it")
                .matches(StoreException::isTemporary);
    }

    /** One that is stopped takes connections all the same; whoever waits goes on to wait. */
    @Test
    void whoDoesNotShakeHandsInTimeIsNotMisconfigured() {
        Throwable late = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new SslHandshakeTimeoutException("handshake timed out after 10000ms"))
                .asRuntimeException();
        assertThat(new EtcdFailures(EtcdUrl.parse("etcds://127.0.0.1:1")).of(late))
                .hasMessageContaining("did not answer in time")
                .matches(StoreException::isTemporary);
    }

    /** The end of a connection that was well, or a server that just loads another certificate. */
    @Test
    void notAllThatFailsByTlsIsMisconfigured() {
        assertThat(byTls("etcds://a:1", new SSLException("SSLEngine closed already")))
                .hasMessageEndingWith("its connection by TLS failed: SSLEngine closed already")
                .matches(StoreException::isTemporary);
        assertThat(byTls("etcds://a:1", new SSLException("Received fatal alert: internal_error")))
                .matches(StoreException::isTemporary);
        SSLException expired = new SSLHandshakeException("PKIX path validation failed: NotAfter");
        assertThat(byTls("etcds://a:1", expired)).matches(failure -> !failure.isTemporary());
        assertThat(byTls("etcds://a:1,b:1", expired))
                .hasMessageContaining("NotAfter")
                .matches(StoreException::isTemporary);
    }

    private static StoreException byTls(String url, SSLException failure) {
        return new EtcdFailures(EtcdUrl.parse(url))
                .of(Status.UNAVAILABLE
                        .withDescription("io exception")
                        .withCause(failure)
                        .asRuntimeException());
    }

    /** As where a majority is gone: those that are left say so at once. */
    @Test
    void whoKnowsNoLeaderMayLackAMajority() {
        assertThat(failure(Status.UNAVAILABLE, "etcdserver: no leader"))
                .hasMessageEndingWith("has no leader now: is it electing one, or without a majority of its members?")
                .matches(StoreException::isTemporary);
    }

    /** gRPC tells the number of the stream, and shows whatever a proxy has sent. */
    @Test
    void aRestartIsToldInWords() {
        String ends = "is ending its connections: is it being restarted?";
        assertThat(failure(
                        Status.UNAVAILABLE,
                        "Abrupt GOAWAY closed unsent stream. HTTP/2 error code: NO_ERROR\nstream id: 137"))
                .hasMessageEndingWith(ends)
                .matches(StoreException::isTemporary);
        assertThat(failure(Status.UNAVAILABLE, "Connection closed after GOAWAY. HTTP/2 error code: NO_ERROR"))
                .hasMessageEndingWith(ends);
        assertThat(failure(Status.UNAVAILABLE, "HTTP status code 502\ninvalid content-type: text/html\nDATA <html>"))
                .hasMessageEndingWith("answers HTTP status code 502: is it just starting, or is a proxy before it?")
                .matches(StoreException::isTemporary);
        assertThat(failure(Status.UNIMPLEMENTED, "HTTP status code 404\ninvalid content-type: text/html\nDATA <html>"))
                .hasMessageEndingWith("is no etcd of version 3: HTTP status code 404")
                .matches(failure -> !failure.isTemporary());
    }

    @Test
    void whatIsCompactedIsToldFromWhatFails() {
        String compacted = "etcdserver: mvcc: required revision has been compacted";
        assertThat(EtcdFailures.isCompacted(
                        Status.OUT_OF_RANGE.withDescription(compacted).asRuntimeException()))
                .isTrue();
        assertThat(EtcdFailures.isCompacted(Status.UNAVAILABLE.asRuntimeException()))
                .isFalse();
    }

    /** By TLS no member tells its quota. */
    @Test
    void aQuotaThatIsNotToldIsNotStated() {
        long bytes = 1900L << 20;
        assertThat(new Examination.Fill(bytes, OptionalLong.of(2L << 30)).finding())
                .hasValueSatisfying(finding -> {
                    assertThat(finding.finding()).contains("at its quota of 2048 MiB etcd");
                    assertThat(finding.cure())
                            .as("while a leader is defragmented no lease is kept alive")
                            .contains("never for the leader (etcdctl move-leader;");
                });
        assertThat(new Examination.Fill(bytes, OptionalLong.of(8L << 30)).finding())
                .isEmpty();
        assertThat(new Examination.Fill(bytes, OptionalLong.empty()).finding())
                .hasValueSatisfying(finding -> assertThat(finding.finding())
                        .contains("at its quota, usually 2048 MiB and not told here, etcd"));
    }

    /** Since 3.6; another gate, or none, says nothing. */
    @Test
    void aMemberTellsWhetherItBeginsLeasesAnew() {
        String gate = "etcd_server_feature_enabled{name=\"LeaseCheckpoint\",stage=\"ALPHA\"} ";
        String quota = "etcd_server_quota_backend_bytes 2.147483648e+09";
        OptionalLong usual = OptionalLong.of(Metrics.USUAL_QUOTA);
        assertThat(Metrics.read(List.of(gate + 0, quota))).isEqualTo(new Metrics(usual, true));
        assertThat(Metrics.read(List.of(gate + 1, quota))).isEqualTo(new Metrics(usual, false));
        assertThat(Metrics.read(List.of(gate.replace("point", "pointPersist") + 0, quota)))
                .isEqualTo(new Metrics(usual, false));
    }

    /** The doctor would look at no other member's version. */
    @Test
    void aMemberThatBreaksOffTellsNoQuota() throws Exception {
        try (ServerSocket member = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Metrics> told = CompletableFuture.supplyAsync(
                    () -> Metrics.of(member.getInetAddress().getHostAddress() + ":" + member.getLocalPort()));
            try (Socket asked = member.accept();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(asked.getInputStream()))) {
                lines.lines().takeWhile(line -> !line.isEmpty()).forEach(line -> {});
                asked.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\netcd 1\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(told).succeedsWithin(Pace.patience()).isEqualTo(Metrics.UNTOLD);
        }
    }

    @Test
    @Tag("consensus")
    void aDatabaseThatIsFullIsToBeCompacted() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Belay belay = Belay.connect("etcd://127.0.0.1:" + etcd.port() + "?timeout=1m")) { // to load its classes
            etcd.setFull(true);
            await().untilAsserted(() -> assertThatThrownBy(() -> belay.lock("x").tryAcquire(Duration.ofMillis(500)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(
                            "has no room: ", "never the leader (etcdctl move-leader), then etcdctl alarm disarm"));
        }
    }

    /** A second one of its process waits, so the lock yields to the other process when its turn is over. */
    @Test
    @Tag("consensus")
    void whoeverWaitsGetsTheLockWhileTheDatabaseIsFull() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Belay one = Belay.connect("etcd://127.0.0.1:" + etcd.port() + "?timeout=1m");
                Belay two = Belay.connect("etcd://127.0.0.1:" + etcd.port() + "?timeout=1m")) {
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> local = one.lock("x").acquireAsync();
            CompletableFuture<Lease> other = two.lock("x").acquireAsync();
            await().until(() -> one.admin().inspect("x").claims().size() == 2);
            etcd.setFull(true);
            held.release();
            Lease next = other.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(local).isNotDone();
            etcd.setFull(false);
            assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(local.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** It still answers what reads. */
    @Test
    @Tag("consensus")
    void theDoctorSeesThatMembersDiffer() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start()) {
            String url = "etcd://127.0.0.1:" + etcd.port() + "?timeout=1m";
            etcd.setCorrupt();
            await().untilAsserted(() -> assertThat(BelayAdmin.examine(url))
                    .filteredOn(finding -> finding.severity() == Finding.Severity.DANGER)
                    .anySatisfy(finding -> {
                        assertThat(finding.subject()).isEqualTo("alarm");
                        assertThat(finding.cure()).contains("replace the member", "; then etcdctl alarm disarm.");
                    }));
            try (Belay belay = Belay.connect(url)) {
                await().untilAsserted(
                                () -> assertThatThrownBy(() -> belay.lock("x").tryAcquire(Duration.ofMillis(500)))
                                        .isInstanceOf(StoreUnavailableException.class)
                                        .hasMessageContaining("members differ: let belay doctor tell more"));
            }
        }
    }

    /** Whoever enters is told of all claims, in one answer; here of five that Belay has not written, each of a mebibyte. */
    @Test
    @Tag("consensus")
    void anAnswerMayBeLong() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = Client.builder()
                        .endpoints("http://127.0.0.1:" + etcd.port())
                        .build();
                Belay belay = Belay.connect("etcd://127.0.0.1:" + etcd.port() + "?timeout=1m")) { // to load its classes
            for (int i = 0; i < 5; i++) {
                client.getKVClient()
                        .put(
                                new Keys("belay/").claims("x").concat(Users.bytes("other-" + i)),
                                ByteSequence.from(new byte[1 << 20]))
                        .get(Pace.seconds(), TimeUnit.SECONDS);
            }
            assertThat(belay.lock("x").tryAcquire(Pace.patience())).isPresent();
        }
    }
}
