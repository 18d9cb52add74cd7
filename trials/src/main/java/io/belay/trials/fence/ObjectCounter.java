package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A counter in an object, by the recipe of docs/fences.md. */
record ObjectCounter(ObjectServer server, HttpClient client) implements Counter {
    static Counter start() throws IOException {
        return new ObjectCounter(new ObjectServer(), HttpClient.newHttpClient());
    }

    private HttpResponse<String> get() throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.uri()).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> put(String content, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.uri()).PUT(HttpRequest.BodyPublishers.ofString(content));
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Override
    public long value() throws IOException, InterruptedException {
        return Long.parseLong(get().body());
    }

    /** Writes the object as it is, with the token: whoever read it before has an ETag that is not its any more. */
    private HttpResponse<String> raise(FencingToken token) throws IOException, InterruptedException {
        while (true) {
            HttpResponse<String> present = get();
            check(token, present);
            HttpResponse<String> raised = put(
                    present.body(),
                    "If-Match",
                    present.headers().firstValue("ETag").orElseThrow(),
                    ObjectServer.TOKEN,
                    Long.toString(token.value()));
            if (raised.statusCode() == 200) {
                return raised;
            }
        }
    }

    private static void check(FencingToken token, HttpResponse<String> present) {
        long raisedTo = present.headers().firstValueAsLong(ObjectServer.TOKEN).orElse(0);
        if (raisedTo > token.value()) {
            throw StaleTokenException.of(token, raisedTo);
        }
    }

    @Override
    public Addition guarded(FencingToken token) throws IOException, InterruptedException {
        HttpResponse<String> raised = raise(token);
        String next = Long.toString(Long.parseLong(raised.body()) + 1);
        return () -> {
            HttpResponse<String> written = put(
                    next,
                    "If-Match",
                    raised.headers().firstValue("ETag").orElseThrow(),
                    ObjectServer.TOKEN,
                    Long.toString(token.value()));
            if (written.statusCode() == 412) {
                check(token, get());
                throw new IOException("somebody without a token has written the object");
            }
        };
    }

    @Override
    public Addition unguarded() throws IOException, InterruptedException {
        String next = Long.toString(value() + 1);
        return () -> put(next);
    }

    @Override
    public void close() {
        server.close();
    }
}
