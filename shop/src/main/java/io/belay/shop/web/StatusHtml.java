package io.belay.shop.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.HtmlUtils;

/** The status page for browsers, made from a resource file by putting values in the place of {@code {{names}}}. */
final class StatusHtml {
    private static final Pattern NAME = Pattern.compile("\\{\\{(\\w+)}}");

    private final String page = read("status.html");
    private final String row = read("status-row.html");

    String of(StatusPage status) {
        long most = Math.max(
                1,
                status.nodes().stream().mapToLong(StatusPage.Node::sold).max().orElse(1));
        StringBuilder rows = new StringBuilder();
        for (StatusPage.Node node : status.nodes()) {
            rows.append(fill(
                    row,
                    Map.<String, Object>of(
                            "node", HtmlUtils.htmlEscape(node.node()),
                            "sold", node.sold(),
                            "width", 100 * node.sold() / most,
                            "refused", node.refused(),
                            "timedOut", node.timedOut(),
                            "stale", node.staleWritesRefused())));
        }
        return fill(
                page,
                Map.<String, Object>of(
                        "sku", HtmlUtils.htmlEscape(status.sku()),
                        "stock", status.stock(),
                        "left", status.left(),
                        "sold", status.sold(),
                        "oversold", status.oversold(),
                        "refused", status.refused(),
                        "timedOut", status.timedOut(),
                        "stale", status.staleWritesRefused(),
                        "mood", status.oversold() == 0 && status.addsUp() ? "good" : "bad",
                        "rows", rows));
    }

    private static String fill(String template, Map<String, Object> values) {
        return NAME.matcher(template)
                .replaceAll(name -> Matcher.quoteReplacement(String.valueOf(values.get(name.group(1)))));
    }

    private static String read(String file) {
        try (InputStream in = StatusHtml.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
