package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Leads that a client campaigns for, and that are given up at a stop. */
class LeadershipsTest {
    private final Set<String> left = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> answers = new CompletableFuture<>();

    /** Opens a store in memory, which answers who leaves when it may. */
    private Store open(long client, Store.Listener listener) {
        LeadershipsTest.class.getModule().addUses(StoreProvider.class);
        Store store = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains("memory"))
                .findFirst()
                .orElseThrow()
                .open("memory:" + UUID.randomUUID(), client, listener);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> call(store, method, arguments));
    }

    private Object call(Store store, Method method, Object[] arguments) throws ReflectiveOperationException {
        if (arguments != null && arguments[0] instanceof Request.Leave leave) {
            left.add(leave.resource());
            return answers.thenCompose(may -> store.send(leave));
        }
        return method.invoke(store, arguments);
    }

    /** Else the second candidate would wait for the first, for as long as that leads. */
    @Test
    void aClientIsOneCandidateByWhicheverNameItIsAskedFor() {
        List<Leaderships.Key> keys =
                List.of(new Leaderships.Key("", "reports"), new Leaderships.Key("belay", "reports"));
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.registerBean("belay", Belay.class, () -> Belay.connect("memory:" + UUID.randomUUID()));
            application.register(LockedConfiguration.class);
            application.refresh();
            Leaderships leaderships = application.getBean(Leaderships.class);
            Belay belay = application.getBean(Belay.class);
            keys.forEach(key -> leaderships.add(key, IllegalStateException::new));
            for (int start = 0; start < 2; start++) {
                await().until(() ->
                        keys.stream().allMatch(key -> leaderships.lease(key).isPresent()));
                assertThat(belay.admin().holds()).hasSize(1);
                leaderships.stop();
                assertThat(keys).noneMatch(key -> leaderships.lease(key).isPresent());
                leaderships.start();
            }
        }
    }

    /** Else the one's methods would be skipped for as long as the other leads, though this process does. */
    @Test
    void aContextIsNoCandidateBesideThoseAroundItAndInsideOfThem() {
        Leaderships.Key both = new Leaderships.Key("", "reports");
        Leaderships.Key inner = new Leaderships.Key("", "bills");
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
            parent.registerBean(Belay.class, () -> Belay.connect("memory:" + UUID.randomUUID()));
            parent.register(LockedConfiguration.class);
            parent.refresh();
            Leaderships outer = parent.getBean(Leaderships.class);
            try (AnnotationConfigApplicationContext middle = inside(parent);
                    AnnotationConfigApplicationContext child = inside(middle);
                    AnnotationConfigApplicationContext sibling = inside(parent)) {
                Leaderships own = child.getBean(Leaderships.class);
                Leaderships other = sibling.getBean(Leaderships.class);
                List.of(own, other, outer)
                        .forEach(its -> its.add(both, IllegalStateException::new)); // the one around them last
                own.add(inner, IllegalStateException::new);
                await().until(() ->
                        own.lease(both).isPresent() && own.lease(inner).isPresent());
                Lease lead = own.lease(both).orElseThrow();
                assertThat(List.of(other, outer))
                        .allSatisfy(its -> assertThat(its.lease(both)).contains(lead));
                assertThat(outer.lease(inner)).isEmpty();
                own.stop();
                assertThat(own.lease(both)).isEmpty();
                assertThat(own.lease(inner)).isEmpty();
                outer.stop();
                assertThat(other.lease(both)).as("one of them still runs").contains(lead);
                other.stop();
                assertThat(lead.isHeld()).isFalse();
                own.start();
                await().until(() ->
                        own.lease(both).isPresent() && own.lease(inner).isPresent());
            }
            assertThat(parent.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }

    /** Else each second would bring a thread and a campaign that nobody can win. */
    @Test
    void whoseClientIsClosedCampaignsNoMore() {
        Leaderships.Key key = new Leaderships.Key("", "reports");
        AtomicInteger campaigns = new AtomicInteger();
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID());
                AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            LeaderElection election = counted(LeaderElection.class, belay.election("reports"), (method, answer) -> {
                campaigns.addAndGet(method.getName().startsWith("campaign") ? 1 : 0);
                return answer;
            });
            application.registerBean(
                    "belay",
                    Belay.class,
                    () -> counted(
                            Belay.class,
                            belay,
                            (method, answer) -> method.getName().equals("election") ? election : answer));
            application.register(LockedConfiguration.class);
            application.refresh();
            Leaderships leaderships = application.getBean(Leaderships.class);
            leaderships.add(key, IllegalStateException::new);
            await().until(() -> leaderships.lease(key).isPresent());
            belay.close();
            await().until(() -> campaigns.get() == 2); // the next one, which fails
            await().pollDelay(Duration.ofMillis(2_500)).until(() -> true);
            assertThat(campaigns).as("and none after a second").hasValue(2);
        }
    }

    private static <T> T counted(Class<T> type, T behind, BiFunction<Method, Object, Object> changes) {
        return type.cast(Proxy.newProxyInstance(
                LeadershipsTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> changes.apply(method, method.invoke(behind, arguments))));
    }

    /** As the two servlets of a web application, whose root has the client alone. */
    @Test
    void contextsAreOneCandidateWhereTheOneAroundThemHasTheClientAlone() {
        Leaderships.Key key = new Leaderships.Key("", "reports");
        try (AnnotationConfigApplicationContext parent = withClient();
                AnnotationConfigApplicationContext one = inside(parent);
                AnnotationConfigApplicationContext other = inside(parent)) {
            assertOneCandidate(parent.getBean(Belay.class).lock("reports"), one, key, other, key);
        }
    }

    /** As of a configuration that each of them has, with a bean that is made of the client. */
    @Test
    void contextsAreOneCandidateByTheViewsThatEachHasMade() {
        Leaderships.Key key = new Leaderships.Key("orders", "reports");
        Leaderships.Key full = new Leaderships.Key("belay", "orders:reports");
        try (AnnotationConfigApplicationContext parent = withClient(LockedConfiguration.class);
                AnnotationConfigApplicationContext one = inside(parent, Orders.class);
                AnnotationConfigApplicationContext other = inside(parent, Orders.class)) {
            Belay belay = parent.getBean(Belay.class);
            assertThat(one.getBean("orders")).isNotSameAs(other.getBean("orders"));
            assertOneCandidate(belay.lock("orders:reports"), one, key, other, key);
            assertOneCandidate(belay.lock("orders:reports"), one, key, parent, full);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Orders {
        @Bean
        static Belay orders(@Qualifier("belay") Belay belay) {
            return belay.namespace("orders");
        }
    }

    /** Has two contexts campaign, and stop. */
    private static void assertOneCandidate(
            DistributedLock lock,
            AnnotationConfigApplicationContext one,
            Leaderships.Key onesKey,
            AnnotationConfigApplicationContext other,
            Leaderships.Key othersKey) {
        Leaderships its = one.getBean(Leaderships.class);
        Leaderships others = other.getBean(Leaderships.class);
        List.of(its, others).forEach(Leaderships::start);
        its.add(onesKey, IllegalStateException::new);
        others.add(othersKey, IllegalStateException::new);
        await().until(() -> its.lease(onesKey).isPresent());
        Lease lead = its.lease(onesKey).orElseThrow();
        assertThat(others.lease(othersKey)).contains(lead);
        its.stop();
        assertThat(others.lease(othersKey)).as("the other one still runs").contains(lead);
        others.stop();
        assertThat(lead.isHeld()).isFalse();
        assertThat(Leaderships.CANDIDACIES).as("what nobody has any more").doesNotContainKey(lock);
    }

    private static AnnotationConfigApplicationContext withClient(Class<?>... configurations) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("belay", Belay.class, () -> Belay.connect("memory:" + UUID.randomUUID()));
        Stream.of(configurations).forEach(context::register);
        context.refresh();
        return context;
    }

    private static AnnotationConfigApplicationContext inside(
            AnnotationConfigApplicationContext parent, Class<?>... configurations) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.setParent(parent);
        context.register(LockedConfiguration.class);
        Stream.of(configurations).forEach(context::register);
        context.refresh();
        return context;
    }

    /** As the first versions of Spring 7 do it where a context fails late in its refresh. */
    @Test
    void aContextWhoseBeansAreDestroyedLeadsNoMoreAlsoWhereItWasNotStopped() {
        Leaderships.Key key = new Leaderships.Key("", "reports");
        try (AnnotationConfigApplicationContext parent = withClient();
                AnnotationConfigApplicationContext context = inside(parent)) {
            Leaderships leaderships = context.getBean(Leaderships.class);
            leaderships.add(key, IllegalStateException::new);
            await().until(() -> leaderships.lease(key).isPresent());
            Lease lead = leaderships.lease(key).orElseThrow();
            context.getDefaultListableBeanFactory().destroySingletons();
            assertThat(lead.isHeld()).isFalse();
            assertThat(Leaderships.CANDIDACIES)
                    .doesNotContainKey(parent.getBean(Belay.class).lock("reports"));
        }
    }

    /** Else nobody would lead, once each instance has done so. */
    @Test
    void whoGivesTheLeadBackIsACandidateAgain() {
        Leaderships.Key key = new Leaderships.Key("", "reports");
        try (AnnotationConfigApplicationContext application = withClient(LockedConfiguration.class)) {
            Leaderships leaderships = application.getBean(Leaderships.class);
            leaderships.add(key, IllegalStateException::new);
            long last = 0;
            List<Consumer<Lease>> ways = List.of(
                    Lease::release,
                    Lease::releaseAsync,
                    Lease::close,
                    lease -> lease.releaseAfter(Duration.ofMillis(1)));
            for (Consumer<Lease> way : ways) {
                await().until(() -> leaderships.lease(key).isPresent());
                Lease lead = leaderships.lease(key).orElseThrow();
                assertThat(lead.token()).isGreaterThan(last);
                last = lead.token();
                way.accept(lead);
                way.accept(lead);
            }
            await().until(() -> leaderships.lease(key).isPresent());
            assertThat(application
                            .getBean(Belay.class)
                            .admin()
                            .inspect("reports")
                            .claims())
                    .as("one candidate")
                    .hasSize(1);
            leaderships.stop();
            assertThat(application.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }

    /** As for want of memory, or of what the store cannot do. */
    @Test
    void aCampaignThatCannotBeginIsFollowedByAnother() {
        Leaderships.Key key = new Leaderships.Key("", "reports");
        AtomicInteger failures = new AtomicInteger();
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID());
                AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.registerBean(Belay.class, () -> failing(belay, failures));
            application.register(LockedConfiguration.class);
            application.refresh();
            Leaderships leaderships = application.getBean(Leaderships.class);
            leaderships.add(key, IllegalStateException::new);
            await().until(() -> leaderships.lease(key).isPresent());
            failures.set(2); // the second by the thread that begins the next campaign
            assertThat(belay.admin().forceRelease("reports")).isTrue();
            await().until(() -> failures.get() <= 0 && leaderships.lease(key).isPresent());
        }
    }

    /** Returns the client with elections whose campaigns throw as often as that. */
    private static Belay failing(Belay belay, AtomicInteger failures) {
        return (Belay) Proxy.newProxyInstance(
                Belay.class.getClassLoader(), new Class<?>[] {Belay.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(belay, arguments);
                    return result instanceof LeaderElection election ? failing(election, failures) : result;
                });
    }

    private static LeaderElection failing(LeaderElection election, AtomicInteger failures) {
        return (LeaderElection) Proxy.newProxyInstance(
                Belay.class.getClassLoader(), new Class<?>[] {LeaderElection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("campaignAsync") && failures.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("a test's");
                    }
                    return method.invoke(election, arguments);
                });
    }

    @Test
    void whatLacksAThreadIsDoneOnceThereIsOne() {
        AtomicInteger missing = new AtomicInteger(2);
        CompletableFuture<Void> done = new CompletableFuture<>();
        Leaderships.onThread(() -> done.complete(null), task -> new Thread(task) {
            @Override
            public void start() {
                if (missing.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        assertThat(done).succeedsWithin(Pace.patience());
        assertThat(missing).hasValue(-1);
    }

    /** Else an application with many takes as many times as long to stop while its store is away. */
    @Test
    void noneWaitsForTheStoreToAnswerAnother() {
        List<Leaderships.Key> keys = IntStream.range(0, 10)
                .mapToObj(number -> new Leaderships.Key("", "lead-" + number))
                .toList();
        // Longer than the wait below, so that no release is given up meanwhile.
        BelayOptions options =
                BelayOptions.defaults().withRequestTimeout(Pace.patience().multipliedBy(2));
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.registerBean(Belay.class, () -> Belay.connect(this::open, options));
            application.register(LockedConfiguration.class);
            application.refresh();
            Leaderships leaderships = application.getBean(Leaderships.class);
            keys.forEach(key -> leaderships.add(key, IllegalStateException::new));
            await().until(() ->
                    keys.stream().allMatch(key -> leaderships.lease(key).isPresent()));
            CompletableFuture<Void> stops = CompletableFuture.runAsync(leaderships::stop);
            try {
                await().until(() -> keys.stream().map(Leaderships.Key::name).allMatch(left::contains));
                assertThat(stops).isNotDone();
            } finally {
                answers.complete(null);
            }
            stops.join();
            assertThat(application.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }
}
