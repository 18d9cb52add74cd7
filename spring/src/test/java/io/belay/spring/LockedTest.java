package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.OwnHold;
import io.belay.spring.Locked.Mode;
import io.belay.spring.Locked.Otherwise;
import java.lang.reflect.Proxy;
import java.sql.Date;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Names, modes, waits, nesting and refusals of methods with a lock. */
class LockedTest {
    private @Nullable AnnotationConfigApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:locked-test");
        }

        @Bean
        static PropertySourcesPlaceholderConfigurer properties() {
            return new PropertySourcesPlaceholderConfigurer();
        }

        @Bean
        String suffix() {
            return "of-a-bean";
        }
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
    }

    private <T> T bean(Class<T> type) {
        System.setProperty("belay.test.shop", "north");
        application = Applications.of(Client.class, type);
        return application.getBean(type);
    }

    private Belay belay() {
        return Objects.requireNonNull(application).getBean(Belay.class);
    }

    private List<String> held() {
        return belay().admin().holds().stream().map(OwnHold::name).sorted().toList();
    }

    record Item(@Nullable String sku, int size) {}

    static class Names {
        @Autowired
        Belay belay;

        List<String> held() {
            return belay.admin().holds().stream().map(OwnHold::name).sorted().toList();
        }

        @Locked("stock:#{#item.sku}:#{#p0.size}")
        public List<String> ofAPart(Item item) {
            return held();
        }

        @Locked("${belay.test.shop}:#{@suffix}")
        public List<String> ofTheApplication() {
            return held();
        }

        @Locked({"from:#{#one}", "to:#{#other}"})
        public List<String> ofTwo(String one, String other) {
            return held();
        }

        @Locked("#{#skus.!['stock:' + #this]}")
        public List<String> ofMany(List<String> skus) {
            return held();
        }

        @Locked("any:#{#one}")
        public List<String> ofAny(Object one) {
            return held();
        }

        @Locked("#{'all:' + #several}")
        public void ofAText(Object several) {}

        @Locked("of:#{#several}")
        public List<String> ofVarargs(Object... several) {
            return held();
        }

        @Locked("nonsense:#{#item.weight}")
        public void ofNothing(Item item) {}
    }

    @Test
    void namesAreMadeOfParametersBeansAndProperties() {
        Names names = bean(Names.class);
        assertThat(names.ofAPart(new Item("iphone", 3))).containsExactly("stock:iphone:3");
        assertThat(names.ofTheApplication()).containsExactly("north:of-a-bean");
        assertThat(names.ofTwo("b", "a")).containsExactly("from:b", "to:a");
        assertThat(names.ofMany(List.of("2", "1", "2"))).containsExactly("stock:1", "stock:2");
        assertThat(held()).isEmpty();
    }

    /** Else each call would take another lock, and nobody would be kept out. */
    @Test
    void aNameOfAnObjectWithoutATextIsRefused() {
        Names names = bean(Names.class);
        assertThat(names.ofVarargs("a", 1)).containsExactly("of:[a, 1]");
        assertThat(names.ofAny("java.lang.Object@1f")).containsExactly("any:java.lang.Object@1f");
        assertThatThrownBy(() -> names.ofAny(new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "the lock's name 'any:#{#one}' cannot be made: '#one' has the text of a java.lang.Object");
        assertThatThrownBy(() -> names.ofVarargs("a", new Object())).hasMessageContaining("give what identifies it");
        assertThatThrownBy(() -> names.ofAny(new byte[1])).hasMessageContaining("is a byte[]: give its text");
        assertThatThrownBy(() -> names.ofAText(new Object()))
                .hasMessageContaining("has the text of a java.lang.Object");
        assertThat(held()).isEmpty();
    }

    /** They mostly come from outside. */
    @Test
    void aNameThatCannotBeIsToldWithItsMethod() {
        Names names = bean(Names.class);
        String whose = "the lock's name 'any:#{#one}' of " + Names.class.getName() + ".ofAny cannot be made: ";
        assertThatThrownBy(() -> names.ofAny("x".repeat(600)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(whose + "The lock's name has 604 bytes");
        assertThatThrownBy(() -> names.ofAny("a\nb"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(whose + "The lock's name has a control character");
    }

    /** Those of java.sql throw at toInstant(). */
    @Test
    void whoNamesALockByADateIsToldWhatToGive() {
        Names names = bean(Names.class);
        Date day = Date.valueOf("2026-01-02");
        assertThatThrownBy(() -> names.ofAny(day))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a java.sql.Date")
                .hasMessageContaining("as by toLocalDate()");
        assertThat(names.ofAny(day.toLocalDate())).containsExactly("any:2026-01-02");
    }

    @Test
    void aNameWithAPartThatIsMissingIsRefused() {
        Names names = bean(Names.class);
        assertThatThrownBy(() -> names.ofAPart(new Item(null, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the lock's name 'stock:#{#item.sku}:#{#p0.size}' cannot be made: '#item.sku' is null");
        assertThatThrownBy(() -> names.ofAPart(new Item("", 3))).hasMessageContaining("'#item.sku' is empty");
        assertThatThrownBy(() -> names.ofMany(List.of())).hasMessageContaining("gives no name");
        assertThatThrownBy(() -> names.ofAny(List.of())).hasMessageContaining("'#one' is empty");
        assertThatThrownBy(() -> names.ofVarargs()).hasMessageContaining("'#several' is empty");
        assertThatThrownBy(() -> names.ofAny(List.of("a", List.of("b", ""))))
                .hasMessageContaining("'#one' has an element that is empty");
        assertThat(names.ofAny(List.of("a", List.of("b")))).containsExactly("any:[a, [b]]");
        assertThatThrownBy(() -> names.ofNothing(new Item("a", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'#item.weight' fails");
    }

    static class Waits {
        private volatile int calls;

        public int calls() {
            return calls;
        }

        @Locked(value = "x", longestWait = "50ms")
        public void brief() {
            calls++;
        }

        @Locked(value = "x", longestWait = "0s", otherwise = Otherwise.SKIP)
        public void skipped() {
            calls++;
        }

        @Locked(value = "x", longestWait = "0s", otherwise = Otherwise.SKIP)
        public Optional<String> perhaps() {
            return Optional.of("done");
        }

        @Locked(value = "limited", maxHold = "20ms")
        public void tooLong() {
            Lease lease = CurrentLease.get();
            await().until(() -> !lease.isHeld());
        }
    }

    @Test
    void withoutTheLockNothingIsCalled() {
        Waits waits = bean(Waits.class);
        assertThat(waits.perhaps()).hasValue("done");
        try (Belay other = Belay.connect("memory:locked-test")) {
            Lease held = other.lock("x").tryAcquire().orElseThrow();
            assertThatThrownBy(waits::brief)
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("Waits.brief was not called: the lock 'x' was not to be had within 50 ms")
                    .hasMessageContaining("; 'x' is held by belay@");
            waits.skipped();
            assertThat(waits.perhaps()).isEmpty();
            Thread.currentThread().interrupt();
            assertThatThrownBy(waits::brief).isInstanceOf(LockNotAcquiredException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(waits.calls()).isZero();
            held.release();
        }
        Thread.currentThread().interrupt();
        assertThatThrownBy(waits::skipped).isInstanceOf(LockNotAcquiredException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(waits.calls()).isZero();
        waits.skipped();
        assertThat(waits.calls()).isEqualTo(1);
        Throwable thrown;
        do { // where its 20 ms are over before it can be called, it is not called
            thrown = catchThrowable(waits::tooLong);
        } while (thrown instanceof LockNotAcquiredException);
        assertThat(thrown).isInstanceOf(LeaseLostException.class);
    }

    /** Whose lease is over before all locks are had, as it may be of several. */
    static class Unlucky {
        @Bean
        static LockedDefaults patient() {
            return new LockedDefaults(ChronoUnit.FOREVER.getDuration(), null);
        }

        @Bean
        static LockDecorator over() {
            return lock -> (DistributedLock) Proxy.newProxyInstance(
                    LockedTest.class.getClassLoader(),
                    new Class<?>[] {DistributedLock.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("tryAcquire") ? Optional.empty() : method.invoke(lock, arguments));
        }

        @Locked("x")
        public void never() {}
    }

    @Test
    void whoWaitsForAsLongAsItTakesIsRefusedInWordsToo() {
        Unlucky unlucky = bean(Unlucky.class);
        assertThatThrownBy(unlucky::never)
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("Unlucky.never was not called: the lock 'x' was not to be had within ");
    }

    @Test
    void aClientThatIsClosedOrAStoreThatIsAwayMeansNoCall() {
        Waits waits = bean(Waits.class);
        belay().close();
        assertThatThrownBy(waits::brief).isInstanceOf(ClientClosedException.class);
        assertThat(waits.calls()).isZero();
    }

    @Locked("of-the-class")
    static class Nested {
        @Autowired
        @Lazy
        Nested self;

        public <T> T within(Function<Nested, T> body) {
            return body.apply(self);
        }

        @Locked(value = "rw", mode = Mode.WRITE)
        public <T> T writing(Function<Nested, T> body) {
            return body.apply(self);
        }

        @Locked(value = "rw", mode = Mode.READ)
        public Mode reading() {
            return self.modes();
        }

        @Locked(value = "rw", mode = Mode.READ)
        public Mode modes() {
            return Mode.READ;
        }

        @Locked({"of-the-class", "other"})
        public void both() {}

        @Locked("second")
        public <T> T second(Function<Nested, T> body) {
            return body.apply(self);
        }
    }

    /** Also one that an outer call covers inside of another lock. */
    @Test
    void eachCallIsToldTheLeaseOfItsOwnLock() {
        Supplier<String> name = () -> CurrentLease.get().name();
        String names = bean(Nested.class)
                .<String>within(self -> name.get() + " "
                        + self.<String>second(
                                two -> name.get() + " " + two.<String>within(three -> name.get()) + " " + name.get())
                        + " " + name.get());
        assertThat(names).isEqualTo("of-the-class second of-the-class second of-the-class");
    }

    @Test
    void aCallInsideGoesOnUnderTheSameLockAndIsRefusedWhereItWouldWaitForItself() {
        Nested nested = bean(Nested.class);
        String token = nested.within(self -> CurrentLease.get().token() + "="
                + self.<Long>within(inner -> CurrentLease.get().token()));
        assertThat(token.split("=")[0]).isEqualTo(token.split("=")[1]);
        assertThat(nested.reading()).isEqualTo(Mode.READ);
        assertThatThrownBy(() -> nested.writing(Nested::reading))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'rw' is held by an outer call of this thread, in another mode");
        assertThatThrownBy(() -> nested.within(self -> {
                    self.both();
                    return "";
                }))
                .hasMessageContaining("take all at the outer call");
        assertThat(held()).isEmpty();
        assertThatThrownBy(CurrentLease::get)
                .hasMessageContaining("holds 0 locks by @Locked, and not one: those of a")
                .hasMessageContaining("put @Locked on a method that blocks, or returns a future");
    }

    /** Only a call's own transaction ends with it: that of a call inside is followed by the rest of the body. */
    @Test
    void aLossAfterTheCommitOfTheSameMethodInsideIsTold() {
        Nested nested = bean(Nested.class);
        TransactionTemplate inside = new TransactionTemplate(
                new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:locked-test")));
        assertThatThrownBy(() -> nested.within(self -> {
                    inside.executeWithoutResult(status -> self.within(again -> ""));
                    Shop.lose(belay(), "of-the-class");
                    return "";
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void readersAreSideBySide() throws Exception {
        Nested nested = bean(Nested.class);
        try (Lease other = belay().readWriteLock("rw").readLock().acquire()) {
            assertThat(CompletableFuture.supplyAsync(nested::reading).get()).isEqualTo(Mode.READ);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Configuration
    @Import(Client.class)
    static class Leaders {
        private volatile int runs;

        public int runs() {
            return runs;
        }

        @LeaderOnly("nightly")
        public void skipped() {
            runs++;
            CurrentLease.get().ensureHeld();
        }

        @LeaderOnly(value = "nightly", otherwise = Otherwise.THROW)
        public void demanded() {
            runs++;
        }

        @LeaderOnly(value = "nightly", otherwise = Otherwise.THROW)
        public Object during(Supplier<Object> body) {
            return body.get();
        }
    }

    /** As between a term and the next one, or where the application campaigns by hand. */
    @Test
    void whoDoesNotLeadIsNotToldThatItDoes() {
        Leaders bean = bean(Leaders.class);
        Objects.requireNonNull(application).getBean(Leaderships.class).stop();
        await().untilAsserted(() -> assertThatThrownBy(bean::demanded) // its claim leaves in a moment
                .hasMessageEndingWith("does not lead 'nightly'; nobody does at this moment"));
        Lease taken = belay().election("nightly").tryCampaign().orElseThrow();
        assertThatThrownBy(bean::demanded)
                .isInstanceOf(NotLeaderException.class)
                .hasMessageContaining("does not lead 'nightly'; the lock of that name is this very client's")
                .hasMessageNotContaining("but belay@");
        taken.release();
    }

    /** Who shares the locks is not to write lines of their own into a log. */
    @Test
    void aLeadersNameIsToldInOneLine() throws InterruptedException {
        Leaders bean = bean(Leaders.class);
        Objects.requireNonNull(application).getBean(Leaderships.class).stop();
        BelayOptions named = BelayOptions.defaults().withClientName("a\nb");
        try (Belay other = Belay.connect("memory:locked-test", named)) {
            Lease taken = other.election("nightly").campaign();
            assertThatThrownBy(bean::demanded)
                    .isInstanceOf(NotLeaderException.class)
                    .hasMessageContaining(", but a")
                    .hasMessageNotContaining("\n");
            taken.release();
        }
    }

    @Test
    void onlyTheLeaderRunsAndAnotherFollows() {
        Leaders first = bean(Leaders.class);
        await().until(() -> {
            first.skipped();
            return first.runs() > 0;
        });
        try (AnnotationConfigApplicationContext second = Applications.of(Leaders.class)) {
            Leaders other = second.getBean(Leaders.class);
            other.skipped();
            assertThat(other.runs()).isZero();
            assertThatThrownBy(other::demanded)
                    .isInstanceOf(NotLeaderException.class)
                    .hasMessageContaining("demanded was not called: this process does not lead 'nightly', but belay@");
            close();
            await().until(() -> {
                other.skipped();
                return other.runs() > 0;
            });
            second.getBean(Belay.class).admin().forceRelease("nightly");
            await().ignoreException(LeaseLostException.class)
                    .until(
                            () -> { // the loss may come within a call
                                int before = other.runs();
                                other.skipped();
                                return other.runs() > before;
                            });
        }
    }

    private Leaders leading() {
        Leaders leaders = bean(Leaders.class);
        await().until(() -> {
            leaders.skipped();
            return leaders.runs() > 0;
        });
        return leaders;
    }

    @Test
    void aLeadThatIsLostBeforeTheMethodReturnsIsTold() {
        Leaders leaders = leading();
        assertThatThrownBy(() -> leaders.during(() -> {
                    Shop.lose(belay(), "nightly");
                    return "";
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    /** As the page says: the next leader does not wait for it. */
    @Test
    void aMethodThatRunsWhenTheApplicationStopsIsToldThatItLeadsNoMore() {
        Leaders leaders = leading();
        Leaderships leaderships = Objects.requireNonNull(application).getBean(Leaderships.class);
        assertThatThrownBy(() -> leaders.during(() -> {
                    leaderships.stop();
                    return "";
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aLeadersResultThatGoesOnUntoldIsRefused() {
        Leaders leaders = leading();
        assertThatThrownBy(() -> leaders.during(CompletableFuture::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "Leaders.during is @LeaderOnly and returned a java.util.concurrent.CompletableFuture");
        assertThat(leaders.during(() -> "done")).isEqualTo("done");
    }
}
