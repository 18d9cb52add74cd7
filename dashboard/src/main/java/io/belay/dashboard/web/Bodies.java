package io.belay.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request says in its address and in its body, by names, as forms say it. */
final class Bodies {
    /** To end what three thousand hold takes as many tokens. */
    private static final int MOST = 65_536;

    private Bodies() {}

    /**
     * Reads a form.
     *
     * @throws IllegalArgumentException if it is too long, or no form
     */
    static Map<String, String> form(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST + 1);
        if (bytes.length > MOST) {
            throw new IllegalArgumentException("the form has more than " + MOST + " bytes");
        }
        return fields(new String(bytes, StandardCharsets.UTF_8));
    }

    /**
     * Reads what follows the question mark of the address.
     *
     * @throws IllegalArgumentException if it is no form
     */
    static Map<String, String> query(HttpExchange exchange) {
        return fields(exchange.getRequestURI().getRawQuery());
    }

    private static Map<String, String> fields(@Nullable String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (text == null || text.isEmpty()) {
            return fields;
        }
        for (String part : text.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                fields.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)));
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
