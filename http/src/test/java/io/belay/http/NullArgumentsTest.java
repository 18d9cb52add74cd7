package io.belay.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.fence.FencingToken;
import io.belay.servers.NullProbe;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        NullProbe probe = new NullProbe(
                Set.of(),
                List.of(
                        HttpRequest.newBuilder(URI.create("http://localhost/")).build(),
                        List.of(FencingToken.of("x", 1)),
                        NullProbe.stub(Lease.class),
                        NullProbe.stub(HttpServletRequest.class),
                        NullProbe.stub(HttpServletResponse.class),
                        NullProbe.stub(FilterChain.class),
                        NullProbe.stub(FilterConfig.class),
                        FencingTokenFilter.create()));
        assertThat(probe.complaints(FencedRequests.class)).isEmpty();
    }
}
