package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockOptions;
import io.belay.jdbc.SqlFence;
import io.belay.servers.NullProbe;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        DriverManagerDataSource source = new DriverManagerDataSource("jdbc:h2:mem:nulls");
        SqlFence fence = SqlFence.standard();
        NullProbe probe = new NullProbe(
                Set.of(TransactionFence.class),
                List.of(
                        Duration.ofSeconds(1),
                        LockOptions.defaults(),
                        source,
                        fence,
                        List.of(),
                        LockedDefaults.standard(),
                        new byte[0],
                        NullProbe.stub(HttpRequest.class),
                        NullProbe.stub(ClientHttpRequestExecution.class),
                        NullProbe.stub(Supplier.class),
                        FencingTokenInterceptor.of(List::of),
                        new JdbcTransactionFence(source, fence)));
        assertThat(probe.complaintsOf(List.of(
                        LockedDefaults.class,
                        JdbcTransactionFence.class,
                        CurrentLease.class,
                        FencingTokenInterceptor.class)))
                .isEmpty();
    }
}
