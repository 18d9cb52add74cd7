package io.belay.http;

import io.belay.Lease;
import io.belay.fence.FencingToken;
import io.belay.fence.FencingTokenHeader;
import java.net.http.HttpRequest;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Requests of the JDK's client that carry fencing tokens in a {@link FencingTokenHeader}. The client has no interceptors, so
 * this is called for each request:
 *
 * <pre>{@code
 * client.send(FencedRequests.of(request, lease), BodyHandlers.discarding());
 * }</pre>
 *
 * <p>A token in a request refuses nothing by itself: that is done by a guard of the data at the other end.
 */
public final class FencedRequests {
    private FencedRequests() {}

    /**
     * Returns a request with the token of a lease in its header, in place of any that it had.
     *
     * @throws IllegalArgumentException if others may hold the lock at the same time
     */
    public static HttpRequest of(HttpRequest request, Lease lease) {
        Objects.requireNonNull(request, "request");
        return ofTokens(request, List.of(FencingToken.of(lease)));
    }

    /**
     * Returns a request with the tokens of several leases.
     *
     * @param leases one of each lock; of a {@code MultiLock} those that its lease has
     * @throws IllegalArgumentException if there is none, or others may hold one of the locks at the same time
     */
    public static HttpRequest of(HttpRequest request, Collection<? extends Lease> leases) {
        Objects.requireNonNull(request, "request");
        return ofTokens(request, FencingToken.allOf(leases));
    }

    /**
     * Returns a request with tokens that are handed on, such as those that a {@link FencingTokenFilter} has found.
     *
     * @throws IllegalArgumentException if there is none, or two of one lock
     */
    public static HttpRequest ofTokens(HttpRequest request, Collection<FencingToken> tokens) {
        Objects.requireNonNull(request, "request");
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .setHeader(FencingTokenHeader.NAME, FencingTokenHeader.format(tokens))
                .build();
    }
}
