package io.belay.trials.fence;

import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.http.FencedRequests;
import io.belay.http.FencingTokenFilter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * A counter behind a service, which reads and writes it in one request: that is stopped in between. The service has the filter,
 * and writes by the guard of files if it has one.
 */
final class HttpCounter implements Counter {
    private final Tomcat tomcat = new Tomcat();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Service service;

    private HttpCounter(Service service) {
        this.service = service;
    }

    /** A request that has read, or failed, and waits until it may write. */
    private record Stop(CountDownLatch read, CountDownLatch go) {}

    private static final class Service extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient FileCounter counter;
        private final boolean guarded;
        private final transient Map<String, Stop> stops = new ConcurrentHashMap<>();
        private final transient AtomicLong requests = new AtomicLong();

        Service(FileCounter counter, boolean guarded) {
            this.counter = counter;
            this.guarded = guarded;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            List<FencingToken> tokens = FencingTokenFilter.tokens(request);
            Stop stop = Objects.requireNonNull(stops.remove(request.getQueryString()), "request");
            try {
                Addition addition = guarded && !tokens.isEmpty() ? counter.guarded(tokens.get(0)) : counter.unguarded();
                stop.read.countDown();
                stop.go.await();
                addition.write();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }

    static Counter start(Path directory, boolean guarded) throws IOException, LifecycleException {
        HttpCounter counter = new HttpCounter(new Service(FileCounter.in(directory), guarded));
        counter.start(directory);
        return counter;
    }

    private void start(Path directory) throws LifecycleException {
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", directory.toString());
        Tomcat.addServlet(context, "counter", service);
        context.addServletMappingDecoded("/*", "counter");
        FilterDef definition = new FilterDef();
        definition.setFilterName("fence");
        definition.setFilter(FencingTokenFilter.create());
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("fence");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        tomcat.start();
    }

    @Override
    public long value() throws IOException {
        return service.counter.value();
    }

    @Override
    public Addition guarded(FencingToken token) throws InterruptedException {
        return begin(token, List.of(token));
    }

    @Override
    public Addition unguarded() throws InterruptedException {
        return begin(FencingToken.of("none", 1), List.of());
    }

    private Addition begin(FencingToken token, List<FencingToken> sent) throws InterruptedException {
        String id = Long.toString(service.requests.incrementAndGet());
        Stop stop = new Stop(new CountDownLatch(1), new CountDownLatch(1));
        service.stops.put(id, stop);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/?" + id))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                sent.isEmpty() ? request : FencedRequests.ofTokens(request, sent), BodyHandlers.ofString());
        var unused = answer.whenComplete((any, error) -> stop.read.countDown());
        stop.read.await();
        return () -> {
            stop.go.countDown();
            HttpResponse<String> response = answer.get();
            if (response.statusCode() == HttpServletResponse.SC_CONFLICT) {
                throw StaleTokenException.of(token, token.value() + 1);
            }
            if (response.statusCode() != HttpServletResponse.SC_OK) {
                throw new IOException("the service answered " + response.statusCode() + ": " + response.body());
            }
        };
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
