package io.belay.dashboard.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The files of the page, and what is put into its text: the store's URL is text, and never markup. Immutable. */
final class Page {
    private static final Map<String, String> TYPES =
            Map.of("/dashboard.css", "text/css", "/dashboard.js", "text/javascript", "/icon.svg", "image/svg+xml");

    private final String page = file("/dashboard.html");
    private final String signIn = file("/sign-in.html");
    private final String store;
    private final boolean mayEnd;
    private final String root;

    /**
     * Reads the files.
     *
     * @param store the store's URL, with nothing secret in it
     * @param mayEnd whether the page offers to end holds
     * @param root what stands before the addresses of all else, as the page says it: a slash alone where it has a server of its own,
     *     and streams
     */
    Page(String store, boolean mayEnd, String root) {
        this.store = store;
        this.mayEnd = mayEnd;
        this.root = root;
    }

    String of(String secret) {
        return page.replace("@SECRET@", secret)
                .replace("@MAY_END@", Boolean.toString(mayEnd))
                .replace("@POLICY@", Answers.POLICY_OF_PAGE)
                .replace("@ROOT@", escaped(root))
                .replace("@STORE@", escaped(store));
    }

    /** Returns the page that asks for the token. */
    String signIn(String message) {
        return signIn.replace("@ROOT@", escaped(root)).replace("@MESSAGE@", escaped(message));
    }

    static boolean hasFile(String path) {
        return TYPES.containsKey(path);
    }

    static String type(String path) {
        return TYPES.getOrDefault(path, "text/plain");
    }

    static String file(String path) {
        try (InputStream in = Page.class.getResourceAsStream(path.substring(1))) {
            if (in == null) {
                throw new IllegalStateException(path + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
