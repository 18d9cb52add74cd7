package io.belay.shop.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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
            Map<String, Object> values = new HashMap<>();
            values.put("node", HtmlUtils.htmlEscape(node.node()));
            values.put("sold", node.sold());
            values.put("width", 100 * node.sold() / most);
            values.put("refused", node.refused());
            values.put("timedOut", node.timedOut());
            values.put("stale", node.staleWritesRefused());
            rows.append(fill(row, values));
        }
        Map<String, Object> values = new HashMap<>();
        values.put("sku", HtmlUtils.htmlEscape(status.sku()));
        values.put("stock", status.stock());
        values.put("left", status.left());
        values.put("sold", status.sold());
        values.put("oversold", status.oversold());
        values.put("soldTwice", status.soldTwice());
        values.put("refused", status.refused());
        values.put("timedOut", status.timedOut());
        values.put("stale", status.staleWritesRefused());
        values.put("mood", status.soldTwice() == 0 && status.addsUp() ? "good" : "bad");
        values.put("rows", rows);
        return fill(page, values);
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
