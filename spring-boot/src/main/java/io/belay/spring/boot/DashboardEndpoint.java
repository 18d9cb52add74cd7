package io.belay.spring.boot;

import io.belay.dashboard.EmbeddedDashboard;
import io.belay.dashboard.EmbeddedDashboard.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * The endpoint {@code belay}: a live page of all locks, with what this instance's client alone knows, and at {@code belay/client} the
 * same for other dashboards. To end a hold needs unrestricted access.
 */
@WebEndpoint(id = "belay", defaultAccess = Access.READ_ONLY)
public final class DashboardEndpoint {
    private static final String HTML = "text/html";
    private static final String JSON = "application/json";
    private static final String ANY = "*/*";

    private final EmbeddedDashboard dashboard;

    DashboardEndpoint(EmbeddedDashboard dashboard) {
        this.dashboard = dashboard;
    }

    /** Returns the page. */
    @ReadOperation(produces = {HTML, ANY})
    public WebEndpointResponse<String> page() throws InterruptedException {
        return response(dashboard.get("", Map.of()));
    }

    /**
     * Returns what the page loads and asks for.
     *
     * @param part a file; {@code frame}; or {@code client}
     * @param search what the names of the listed locks begin with
     * @param open the lock whose queue is shown
     * @param after the number of the last frame, as it was told
     */
    @ReadOperation(produces = {JSON, ANY})
    public WebEndpointResponse<String> part(
            @Selector String part, @Nullable String search, @Nullable String open, @Nullable String after)
            throws InterruptedException {
        Map<String, String> parameters = new LinkedHashMap<>();
        put(parameters, "search", search);
        put(parameters, "open", open);
        put(parameters, "after", after);
        return response(part.isEmpty() ? dashboard.get("nothing", parameters) : dashboard.get(part, parameters));
    }

    /** Ends a hold, as the page asks for it; needs unrestricted access. */
    @WriteOperation
    public WebEndpointResponse<String> end(
            @Selector String part,
            SecurityContext security,
            @Nullable String page,
            @Nullable String name,
            @Nullable String typed,
            @Nullable String who,
            @Nullable String tokens) {
        Map<String, String> parameters = new LinkedHashMap<>();
        put(parameters, "page", page);
        put(parameters, "name", name);
        put(parameters, "typed", typed);
        put(parameters, "who", who);
        put(parameters, "tokens", tokens);
        return part.equals("end")
                ? response(dashboard.end(parameters, LocksEndpoint.who(security)))
                : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static void put(Map<String, String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }

    private static WebEndpointResponse<String> response(Answer answer) {
        return answer.body().isEmpty()
                ? new WebEndpointResponse<>(answer.status())
                : new WebEndpointResponse<>(
                        answer.body(), answer.status(), MimeType.valueOf(answer.type() + ";charset=UTF-8"));
    }
}
