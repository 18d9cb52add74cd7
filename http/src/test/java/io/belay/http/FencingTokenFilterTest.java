package io.belay.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.fence.FencingToken;
import io.belay.fence.FencingTokenHeader;
import io.belay.fence.StaleTokenException;
import io.belay.recipes.MultiLock;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests of the JDK's client to a Tomcat with the filter, before a counter with a guard or without. */
class FencingTokenFilterTest {
    @TempDir
    private Path directory;

    private final Tomcat tomcat = new Tomcat();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Counter counter = new Counter();

    /** What the requests come to: reads, waits to be let go on if it is told to, and writes, perhaps fenced. */
    private static final class Counter extends HttpServlet {
        private static final long serialVersionUID = 1;

        private transient volatile CountDownLatch read = new CountDownLatch(0);
        private transient volatile CountDownLatch write = new CountDownLatch(0);
        private volatile boolean fenced;
        private volatile boolean answersLater;
        private volatile boolean answersInADispatch;
        private volatile boolean hasBegunToAnswer;
        private volatile int value;
        private volatile long raisedTo;
        private final transient List<List<FencingToken>> tokens = new ArrayList<>();

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            List<FencingToken> its = FencingTokenFilter.tokens(request);
            tokens.add(its);
            if (answersLater) {
                request.startAsync();
            }
            if (hasBegunToAnswer) {
                response.setHeader("Content-Encoding", "gzip");
                response.addCookie(new Cookie("own", "1"));
                response.getOutputStream().write(1);
            }
            if (answersInADispatch && request.getDispatcherType() == DispatcherType.REQUEST) {
                request.startAsync().dispatch();
                return;
            }
            CountDownLatch go = write;
            raise(its);
            int before = value;
            read.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new ServletException(e);
            }
            raise(its);
            value = before + 1;
            if (answersLater) {
                request.getAsyncContext().complete();
            }
        }

        private void raise(List<FencingToken> its) throws ServletException {
            if (fenced) {
                FencingToken token = its.get(0);
                if (token.value() < raisedTo) {
                    throw new ServletException(StaleTokenException.of(token, raisedTo)); // as Spring MVC wraps it
                }
                raisedTo = token.value();
            }
        }
    }

    private void start(Filter... filters) throws Exception {
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", directory.toString());
        Tomcat.addServlet(context, "counter", counter).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "counter");
        for (Filter filter : filters) {
            FilterDef definition = new FilterDef();
            definition.setFilterName(filter.getClass().getName());
            definition.setFilter(filter);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            FilterMap map = new FilterMap();
            map.setFilterName(definition.getFilterName());
            map.addURLPattern("/*");
            map.setDispatcher(DispatcherType.REQUEST.name());
            map.setDispatcher(DispatcherType.ASYNC.name());
            context.addFilterMap(map);
        }
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private HttpRequest request() {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private HttpRequest request(long token) {
        return FencedRequests.ofTokens(request(), List.of(FencingToken.of("stock", token)));
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    @Test
    void whatIsLowerThanTheHighestIsRefused() throws Exception {
        start(FencingTokenFilter.create());
        assertThat(send(request(5)).statusCode()).isEqualTo(200);
        assertThat(send(request(5)).statusCode()).isEqualTo(200);
        assertThat(send(request(7)).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = send(request(6));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).startsWith("the fence of 'stock' stands at token 7 and refuses 6");
        assertThat(counter.value).isEqualTo(3);
    }

    @Test
    void theTokensOfLeasesAreHandedOn() throws Exception {
        start(FencingTokenFilter.create());
        try (Belay belay = Belay.connect("memory:http")) {
            Lease lease = belay.lock("zürich").acquire();
            assertThat(send(FencedRequests.of(request(), lease)).statusCode()).isEqualTo(200);
            var all = MultiLock.of(belay.lock("b"), belay.lock("a")).acquire();
            HttpRequest both = FencedRequests.of(FencedRequests.of(request(), lease), all.leases());
            assertThat(send(both).statusCode()).isEqualTo(200);
            assertThat(counter.tokens)
                    .containsExactly(List.of(FencingToken.of(lease)), FencingToken.allOf(all.leases()));
        }
    }

    @Test
    void severalHeadersAreReadAsOne() throws Exception {
        start(FencingTokenFilter.create());
        HttpRequest two = HttpRequest.newBuilder(request(5), (name, value) -> true)
                .header(FencingTokenHeader.NAME, "other=3")
                .build();
        assertThat(send(two).statusCode()).isEqualTo(200);
        assertThat(counter.tokens).containsExactly(List.of(FencingToken.of("other", 3), FencingToken.of("stock", 5)));
    }

    @Test
    void aRequestWithoutATokenPassesUnlessOneIsRequired() throws Exception {
        FencingTokenFilter filter = FencingTokenFilter.create();
        start(filter);
        assertThat(send(request()).statusCode()).isEqualTo(200);
        assertThat(counter.tokens).containsExactly(List.of());
    }

    @Test
    void whereOneIsRequiredItSaysWhich() throws Exception {
        start(FencingTokenFilter.create().withRequired());
        HttpResponse<String> refused = send(request());
        assertThat(refused.statusCode()).isEqualTo(428);
        assertThat(refused.body()).contains("Fencing-Token");
        assertThat(send(request(1)).statusCode()).isEqualTo(200);
        HttpRequest wrong = HttpRequest.newBuilder(request(), (name, value) -> true)
                .header(FencingTokenHeader.NAME, "42")
                .build();
        HttpResponse<String> unread = send(wrong);
        assertThat(unread.statusCode()).isEqualTo(400);
        assertThat(unread.body()).contains("'42' in the header Fencing-Token");
        assertThat(counter.value).isEqualTo(1);
    }

    /** The old holder's request has passed the filter and read, and is stopped until that of its successor is done. */
    private int statusOfTheStopped() throws Exception {
        start(FencingTokenFilter.create());
        counter.read = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        counter.write = go;
        CompletableFuture<HttpResponse<String>> old = client.sendAsync(request(1), BodyHandlers.ofString());
        counter.read.await();
        counter.write = new CountDownLatch(0);
        assertThat(send(request(2)).statusCode()).isEqualTo(200);
        go.countDown();
        return old.get().statusCode();
    }

    @Test
    void theFilterAloneLosesAnUpdate() throws Exception {
        assertThat(statusOfTheStopped()).isEqualTo(200);
        assertThat(counter.value).as("what two updates have come to").isEqualTo(1);
    }

    @Test
    void withAGuardOfTheDataNoneIsLost() throws Exception {
        counter.fenced = true;
        assertThat(statusOfTheStopped()).isEqualTo(409);
        assertThat(counter.value).as("what one update has come to").isEqualTo(1);
    }

    /** Or it would be answered when the container's patience is over, by a 500. */
    @Test
    void aGuardMayRefuseWhatWasToBeAnsweredLater() throws Exception {
        counter.fenced = true;
        counter.answersLater = true;
        start(FencingTokenFilter.create());
        assertThat(send(request(5)).statusCode()).isEqualTo(200);
        counter.raisedTo = 7;
        HttpResponse<String> refused = send(request(6));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("stands at token 7 and refuses 6");
    }

    /** Or a browser may not read of the one what it may of the other. */
    @Test
    void whatAGuardRefusesHasTheHeadersOfTheFiltersBeforeAndNoneOfTheHandler() throws Exception {
        Filter before = (request, response, chain) -> {
            HttpServletResponse answer = (HttpServletResponse) response;
            answer.setHeader("X-Request-Id", "4711");
            answer.addCookie(new Cookie("first", "1"));
            answer.addCookie(new Cookie("second", "2"));
            chain.doFilter(request, response);
        };
        counter.fenced = true;
        counter.hasBegunToAnswer = true;
        start(before, FencingTokenFilter.create());
        assertThat(send(request(5)).statusCode()).isEqualTo(200);
        counter.raisedTo = 7;
        HttpResponse<String> byTheFilter = send(request(4));
        HttpResponse<String> byTheGuard = send(request(6));
        counter.answersInADispatch = true; // what the first one has set is there in the second
        HttpResponse<String> byTheGuardLater = send(request(6));
        for (HttpResponse<String> refused : List.of(byTheFilter, byTheGuard, byTheGuardLater)) {
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.headers().allValues("X-Request-Id")).containsExactly("4711");
            assertThat(refused.headers().allValues("Set-Cookie")).containsExactly("first=1", "second=2");
            assertThat(refused.headers().map().keySet())
                    .isEqualTo(byTheFilter.headers().map().keySet());
        }
        assertThat(byTheGuard.body()).contains("stands at token 7 and refuses 6");
        assertThat(byTheGuardLater.body()).contains("stands at token 7 and refuses 6");
    }

    @Test
    void theLocksThatWereSeenLongestAgoAreForgotten() {
        HighestTokens highest = new HighestTokens(2);
        for (String lock : List.of("a", "b", "a", "c")) {
            highest.raise(List.of(FencingToken.of(lock, 5)));
        }
        highest.raise(List.of(FencingToken.of("b", 4)));
        assertThatThrownBy(() -> highest.raise(List.of(FencingToken.of("c", 4))))
                .isInstanceOf(StaleTokenException.class);
    }

    /** A request with that header, as far as a filter looks at it. */
    private static HttpServletRequest request(String header) {
        Map<Object, Object> attributes = new HashMap<>();
        return (HttpServletRequest) Proxy.newProxyInstance(
                FencingTokenFilterTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getHeaders" -> Collections.enumeration(List.of(header));
                    case "getAttribute" -> attributes.get(arguments[0]);
                    case "setAttribute" -> attributes.put(arguments[0], arguments[1]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aRequestThatComesThroughAgainIsJudgedOnceByEachFilter() throws Exception {
        FencingTokenFilter outer = FencingTokenFilter.create();
        FencingTokenFilter inner = FencingTokenFilter.create();
        HttpServletResponse unused = (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletResponse.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getHeaderNames")) {
                        return List.of();
                    }
                    throw new AssertionError("it was refused: " + method.getName());
                });
        HttpServletRequest slow = request("x=5");
        List<Long> passed = new ArrayList<>();
        for (HttpServletRequest next : List.of(slow, request("x=6"), slow)) {
            FilterChain end = (request, response) ->
                    passed.add(FencingTokenFilter.tokens(request).get(0).value());
            outer.doFilter(next, unused, (request, response) -> inner.doFilter(request, response, end));
        }
        assertThat(passed).containsExactly(5L, 6L, 5L);
    }
}
