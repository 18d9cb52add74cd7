package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A counter in an object, by the recipe of docs/fences.md: the object is the token, a blank and the number. */
record ObjectCounter(ObjectServer server, HttpClient client) implements Counter {
    private static final int PRECONDITION_FAILED = 412;

    /** The object as it was read, or written. */
    private record Version(long token, long value, String tag) {
        static Version of(HttpResponse<String> answer) {
            String[] words = answer.body().split(" ", -1);
            return new Version(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    answer.headers().firstValue("ETag").orElseThrow());
        }
    }

    static Counter start() throws IOException {
        return new ObjectCounter(new ObjectServer("0 0"), HttpClient.newHttpClient());
    }

    private Version get() throws IOException, InterruptedException {
        return Version.of(client.send(HttpRequest.newBuilder(server.uri()).build(), BodyHandlers.ofString()));
    }

    private HttpResponse<String> put(HttpRequest.Builder request, long token, long value)
            throws IOException, InterruptedException {
        HttpRequest put =
                request.PUT(BodyPublishers.ofString(token + " " + value)).build();
        return client.send(put, BodyHandlers.ofString());
    }

    private HttpRequest.Builder over(Version present) {
        return HttpRequest.newBuilder(server.uri()).header("If-Match", present.tag);
    }

    @Override
    public long value() throws IOException, InterruptedException {
        return get().value;
    }

    /** Writes the object with the token in it: whoever has read it before has an ETag that is not its any more. */
    private Version raise(FencingToken token) throws IOException, InterruptedException {
        while (true) {
            Version present = get();
            if (present.token > token.value()) {
                throw StaleTokenException.of(token, present.token);
            }
            HttpResponse<String> raised = put(over(present), token.value(), present.value);
            if (raised.statusCode() != PRECONDITION_FAILED) {
                return Version.of(raised);
            }
        }
    }

    @Override
    public Addition guarded(FencingToken token) throws IOException, InterruptedException {
        Version raised = raise(token);
        return () -> {
            if (put(over(raised), token.value(), raised.value + 1).statusCode() == PRECONDITION_FAILED) {
                throw StaleTokenException.of(token, get().token);
            }
        };
    }

    @Override
    public Addition unguarded() throws IOException, InterruptedException {
        Version read = get();
        return () -> put(HttpRequest.newBuilder(server.uri()), read.token, read.value + 1);
    }

    @Override
    public void close() {
        server.close();
    }
}
