package io.belay.dashboard.client;

import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The asking of one client at an address, by a thread of its own, so that one that does not answer delays no other and no page. It is
 * asked when somebody wants to know, and not while the last answer is still awaited. Thread-safe.
 */
final class ClientPoller {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** The time after which one that has refused is asked again: it may count who tries, and refuse others for it. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private static final String NO_ANSWER = "no answer within " + PATIENCE.toSeconds() + " s";
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS, Runnable::run);
    private static final int MOST_BYTES = 1_000_000;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final HttpClient http;
    private final HttpRequest request;
    private final Semaphore wanted = new Semaphore(0);
    private final Thread thread;

    /** The last answer. */
    private volatile Answer last = new Answer(null, "", 0);

    /** When the request that is under way was sent; 0 if none is. */
    private volatile long askedNanos;

    /** The instant from which it may be asked again. */
    private volatile long nextNanos = System.nanoTime();

    /**
     * What has come of a request.
     *
     * @param told what the client has told; null if it has not
     * @param failure why not
     * @param nanos when; 0 if nothing has come yet
     */
    record Answer(@Nullable JsonNode told, String failure, long nanos) {}

    ClientPoller(HttpClient http, URI address) {
        this.http = http;
        request = request(address);
        thread = new Thread(this::run, "dashboard-client");
        thread.setDaemon(true);
        thread.start();
    }

    private static HttpRequest request(URI address) {
        String user = address.getRawUserInfo();
        HttpRequest.Builder builder = HttpRequest.newBuilder(ClientAddress.withoutUser(address))
                .timeout(PATIENCE)
                .header("Accept", "application/json");
        if (user != null) {
            byte[] plain = URLDecoder.decode(user.replace("+", "%2B"), StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.UTF_8);
            builder.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(plain));
        }
        return builder.build();
    }

    /** Asks again, if the last request is over, and was not refused just now. */
    void ask() {
        if (System.nanoTime() - nextNanos >= 0 && askedNanos == 0 && wanted.availablePermits() == 0) {
            wanted.release();
        }
    }

    /** Returns what came last, or that nothing comes. */
    Answer last() {
        return isLate() ? new Answer(null, NO_ANSWER, System.nanoTime()) : last;
    }

    private boolean isLate() {
        long asked = askedNanos;
        return asked != 0 && System.nanoTime() - asked > PATIENCE.toNanos();
    }

    private void run() {
        try {
            while (true) {
                wanted.acquire();
                askedNanos = System.nanoTime() | 1;
                last = answer();
                askedNanos = 0;
            }
        } catch (InterruptedException e) {
            // All is over.
        }
    }

    private Answer answer() throws InterruptedException {
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                int status = response.statusCode();
                if (status == UNAUTHORIZED || status == FORBIDDEN) {
                    nextNanos = System.nanoTime() + REFUSED.toNanos();
                    return failed(
                            "refused (" + status + "): who may ask stands in the address, http://NAME:PASSWORD@HOST");
                }
                if (status != OK) {
                    return failed("answered " + status + " and not what a client of Belay tells: is the path right?");
                }
                LATER.execute(() -> close(body)); // as the request's own limit ends with the head of the answer
                byte[] bytes = body.readNBytes(MOST_BYTES + 1);
                return bytes.length > MOST_BYTES
                        ? failed("what answers there sends more than a client of Belay does")
                        : new Answer(JsonMapper.shared().readTree(bytes), "", System.nanoTime());
            }
        } catch (HttpTimeoutException e) {
            return failed(NO_ANSWER);
        } catch (ConnectException e) {
            return failed("nobody listens there, or the way is closed");
        } catch (IOException e) {
            return failed(
                    isLate() ? NO_ANSWER : "the connection failed before the answer was there: " + e.getMessage());
        } catch (JacksonException e) {
            return failed("what answers there is no client of Belay: its page's address ends in /client");
        } catch (RuntimeException
                | Error e) { // or nobody would be asked any more; there may be a thread to be had next time
            return failed(e.toString());
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // Who reads it is told, too.
        }
    }

    private static Answer failed(String why) {
        return new Answer(null, OneLine.of(UrlPasswords.mask(why)), System.nanoTime());
    }

    void close() {
        thread.interrupt();
    }
}
