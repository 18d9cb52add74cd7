package io.belay.dashboard.client;

import io.belay.support.UrlVariables;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses at which clients are asked. */
public final class ClientAddress {
    private static final Pattern USER = Pattern.compile("([a-z]+://)([^/?#@]*)(@.*)");

    private static final int HIGHEST_PORT = 65_535;

    private ClientAddress() {}

    /**
     * Reads an address, after its variables. What one that stands before an {@code @} stands for is taken as it is, whatever is special
     * in it.
     *
     * @throws IllegalArgumentException if nobody can be asked there, or a variable is not set
     */
    public static URI of(String text) {
        return of(text, System.getenv());
    }

    static URI of(String text, Map<String, String> variables) {
        try {
            URI address = new URI(expanded(text, variables));
            String scheme = String.valueOf(address.getScheme());
            if ((scheme.equals("http") || scheme.equals("https"))
                    && address.getHost() != null
                    && address.getPort() <= HIGHEST_PORT) {
                return address;
            }
        } catch (URISyntaxException e) {
            // Told below; its message would repeat a password.
        }
        throw new IllegalArgumentException("--client must be the address at which a client tells of itself, such as"
                + " http://HOST:8080/actuator/belay/client or http://HOST:7420/client; what is special in a"
                + " password is written as %40");
    }

    private static String expanded(String text, Map<String, String> variables) {
        Matcher user = USER.matcher(text);
        if (!user.matches()) {
            return UrlVariables.expand(text, variables);
        }
        Map<String, String> encoded = new HashMap<>(variables);
        encoded.replaceAll((name, value) ->
                URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
        return user.group(1)
                + UrlVariables.expand(user.group(2), encoded)
                + UrlVariables.expand(user.group(3), variables);
    }

    static URI withoutUser(URI address) {
        String text = address.toString();
        String user = address.getRawUserInfo();
        return user == null ? address : URI.create(text.replaceFirst("//[^@/]*@", "//"));
    }

    /** Returns what pages show of it: not who asks, and not what is behind the question mark. */
    static String shown(URI address) {
        String text = withoutUser(address).toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
