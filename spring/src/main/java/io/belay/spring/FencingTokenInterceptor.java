package io.belay.spring;

import io.belay.Lease;
import io.belay.fence.FencingToken;
import io.belay.fence.FencingTokenHeader;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * An interceptor of Spring's {@code RestClient} and {@code RestTemplate} that sends fencing tokens in a
 * {@link FencingTokenHeader}, to a service that has a guard of its data:
 *
 * <pre>{@code
 * RestClient client = RestClient.builder().requestInterceptor(FencingTokenInterceptor.ofLocked()).build();
 * }</pre>
 *
 * <p>A request of a caller who holds no lock goes out as it is, and may carry a header that the caller has set. A token in a
 * request refuses nothing by itself. Thread-safe; never blocks.
 */
public final class FencingTokenInterceptor implements ClientHttpRequestInterceptor {
    private final Supplier<? extends Collection<? extends Lease>> leases;

    private FencingTokenInterceptor(Supplier<? extends Collection<? extends Lease>> leases) {
        this.leases = leases;
    }

    /**
     * Returns one that sends the tokens of all locks that the calling thread holds by {@link Locked} methods. Readers have none
     * that says who may write, and send none.
     */
    public static FencingTokenInterceptor ofLocked() {
        return of(HeldLocks::allFenced);
    }

    /**
     * Returns one that sends the tokens of these leases.
     *
     * @param leases asked by the calling thread at each request; may return none
     */
    public static FencingTokenInterceptor of(Supplier<? extends Collection<? extends Lease>> leases) {
        return new FencingTokenInterceptor(Objects.requireNonNull(leases, "leases"));
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(execution, "execution");
        Collection<? extends Lease> held = leases.get();
        if (!held.isEmpty()) {
            List<FencingToken> tokens = FencingToken.allOf(held);
            request.getHeaders().set(FencingTokenHeader.NAME, FencingTokenHeader.format(tokens));
        }
        return execution.execute(request, body);
    }
}
