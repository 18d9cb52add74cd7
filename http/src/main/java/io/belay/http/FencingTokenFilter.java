package io.belay.http;

import io.belay.fence.FencingToken;
import io.belay.fence.FencingTokenHeader;
import io.belay.fence.StaleTokenException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A filter that reads the fencing tokens of requests ({@link FencingTokenHeader}), refuses those below the highest that this
 * process has seen, and hands the others on to the guard of the data:
 *
 * <pre>{@code
 * fence.on(connection).raiseTo(FencingTokenFilter.tokens(request));
 * }</pre>
 *
 * <p>A guard refuses an empty list by an {@link IllegalArgumentException}: before such a handler {@linkplain #withRequired() require} a
 * token.
 *
 * <p><b>The filter alone is no guard; it only narrows the gap.</b> It knows what this process has seen since it started, of the
 * last 10,000 locks, and a request that it has let through may be stopped before it writes. What the guard of the data refuses by a
 * {@link StaleTokenException}, it answers as what it refuses itself, with the headers of the filters before it. Where tokens went back, the fence of that guard is reset; what the
 * filter has seen, only a restart of its process forgets.
 *
 * <table>
 *   <caption>What it answers</caption>
 *   <tr><th>status</th><th>when</th></tr>
 *   <tr><td>409</td><td>a token is too low: the sender has lost the lock</td></tr>
 *   <tr><td>400</td><td>the header cannot be read</td></tr>
 *   <tr><td>428</td><td>there is none, and one is {@linkplain #withRequired() required}</td></tr>
 * </table>
 *
 * <p>A request is judged once, also if it comes through again. Where handlers answer asynchronously, map the filter to the dispatcher
 * types {@code REQUEST} and {@code ASYNC}, so that it answers for a guard that refuses then.
 *
 * <p>Thread-safe. Never blocks.
 */
public final class FencingTokenFilter implements Filter {
    private static final String TOKENS = FencingTokenFilter.class.getName() + ".tokens";
    private static final int REMEMBERED = 10_000;
    private static final int PRECONDITION_REQUIRED = 428;

    /** The attribute of requests with the headers that their answers had before this filter. */
    private final String headersBefore = FencingTokenFilter.class.getName() + "." + UUID.randomUUID();

    private final HighestTokens highest;
    private final boolean required;

    private FencingTokenFilter(HighestTokens highest, boolean required) {
        this.highest = highest;
        this.required = required;
    }

    /** Returns a filter that lets requests without a token through. */
    public static FencingTokenFilter create() {
        return new FencingTokenFilter(new HighestTokens(REMEMBERED), false);
    }

    /** Returns a copy that refuses requests without a token; it remembers what this one has seen. */
    public FencingTokenFilter withRequired() {
        return new FencingTokenFilter(highest, true);
    }

    /** Returns the tokens with which a request has passed a filter, in the order of their locks' names; empty if it had none. */
    @SuppressWarnings("unchecked")
    public static List<FencingToken> tokens(ServletRequest request) {
        Objects.requireNonNull(request, "request");
        Object tokens = request.getAttribute(TOKENS);
        return tokens == null ? List.of() : (List<FencingToken>) tokens;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(response, "response");
        Objects.requireNonNull(chain, "chain");
        if (request instanceof HttpServletRequest asked && response instanceof HttpServletResponse answer) {
            filter(asked, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        List<String> headers = Collections.list(request.getHeaders(FencingTokenHeader.NAME));
        if (headers.isEmpty() && required) {
            refuse(
                    response,
                    PRECONDITION_REQUIRED,
                    "this needs a lock, and its token in the header " + FencingTokenHeader.NAME
                            + ", as stock:iphone=42");
            return;
        }
        // One that comes through again, when it was handled asynchronously, may have done its work before the next one
        // came.
        if (!headers.isEmpty() && request.getAttribute(highest.judged) == null) {
            try {
                List<FencingToken> tokens = FencingTokenHeader.parse(String.join(",", headers));
                highest.raise(tokens);
                request.setAttribute(TOKENS, tokens);
                request.setAttribute(highest.judged, true);
            } catch (IllegalArgumentException e) {
                refuse(response, HttpServletResponse.SC_BAD_REQUEST, String.valueOf(e.getMessage()));
                return;
            } catch (StaleTokenException e) {
                refuse(response, HttpServletResponse.SC_CONFLICT, String.valueOf(e.getMessage()));
                return;
            }
        }
        Map<String, List<String>> before = headersBefore(request, response);
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException e) {
            StaleTokenException refusal = refusal(e);
            if (refusal == null || response.isCommitted()) {
                throw e;
            }
            response.reset(); // takes the headers, too, but without it whoever has asked for a stream cannot have a
            // writer
            before.forEach((name, values) -> {
                response.setHeader(name, values.get(0)); // servers keep some
                values.stream().skip(1).forEach(value -> response.addHeader(name, value));
            });
            refuse(response, HttpServletResponse.SC_CONFLICT, String.valueOf(refusal.getMessage()));
            if (request.isAsyncStarted()) { // nobody else ends what was to be answered later
                request.getAsyncContext().complete();
            }
        }
    }

    /**
     * Returns the headers that filters before this one have set, such as those by which a browser may read an answer: those of the
     * first time, as in a later dispatch there are also those that the handler has set by then.
     */
    @SuppressWarnings("unchecked")
    private Map<String, List<String>> headersBefore(HttpServletRequest request, HttpServletResponse response) {
        Object known = request.getAttribute(headersBefore);
        if (known != null) {
            return (Map<String, List<String>>) known;
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        response.getHeaderNames().forEach(name -> headers.put(name, List.copyOf(response.getHeaders(name))));
        request.setAttribute(headersBefore, headers);
        return headers;
    }

    private static @Nullable StaleTokenException refusal(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StaleTokenException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private static void refuse(HttpServletResponse response, int status, String why) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().write(why + "\n");
    }
}
