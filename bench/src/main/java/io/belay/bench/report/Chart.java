package io.belay.bench.report;

import java.util.List;

/** A chart of horizontal bars as SVG, with the range of the rounds as a thin line; readable on light and dark pages. */
public final class Chart {
    private static final int WIDTH = 720;
    private static final int LEFT = 170;
    private static final int RIGHT = 90;
    private static final int TOP = 44;
    private static final int ROW = 30;
    private static final int BAR = 18;

    private static final String STYLE = """
              <style>
                text { fill: #24292f; font-family: sans-serif; font-size: 13px; }
                .title { font-weight: bold; }
                .ours { fill: #2c7a4b; }
                .peer { fill: #7d93ab; }
                .range { stroke: #24292f; stroke-width: 1.5; }
                @media (prefers-color-scheme: dark) {
                  text { fill: #d7dde3; }
                  .ours { fill: #4cb279; }
                  .peer { fill: #5b7088; }
                  .range { stroke: #d7dde3; }
                }
              </style>
            """;

    private Chart() {}

    /**
     * A bar.
     *
     * @param label what the bar stands for
     * @param spread the length of the bar and its range
     * @param ours whether the bar is to stand out
     */
    public record Bar(String label, Spread spread, boolean ours) {}

    /** Draws a chart; a screen reader says its title. */
    public static String draw(String title, List<Bar> bars) {
        double most = bars.stream().mapToDouble(bar -> bar.spread().max()).max().orElse(1);
        double scale = most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
        int height = TOP + ROW * bars.size() + 8;
        StringBuilder svg = new StringBuilder();
        svg.append(Format.of(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                WIDTH, height, escape(title)));
        svg.append(STYLE);
        svg.append(Format.of("  <text class=\"title\" x=\"12\" y=\"24\">%s</text>\n", escape(title)));
        for (int i = 0; i < bars.size(); i++) {
            bar(svg, bars.get(i), TOP + ROW * i, scale);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, Bar bar, int top, double scale) {
        Spread spread = bar.spread();
        double middle = top + BAR / 2.0;
        svg.append(Format.of(
                "  <text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                LEFT - 8, middle + 4.5, escape(bar.label())));
        svg.append(Format.of(
                "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n",
                bar.ours() ? "ours" : "peer", LEFT, top, Math.max(1, spread.median() * scale), BAR));
        if (spread.max() > spread.min()) {
            svg.append(Format.of(
                    "  <line class=\"range\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                    LEFT + spread.min() * scale, LEFT + spread.max() * scale, middle, middle));
        }
        svg.append(Format.of(
                "  <text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                LEFT + spread.max() * scale + 8, middle + 4.5, Format.brief(spread.median())));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
