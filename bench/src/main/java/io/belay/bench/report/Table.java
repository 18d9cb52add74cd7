package io.belay.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table; the first column is text, the others are figures. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(List<String> headings) {
        rows.add(headings);
        List<String> rule = new ArrayList<>();
        rule.add("---");
        headings.stream().skip(1).forEach(heading -> rule.add("---:"));
        rows.add(rule);
    }

    void row(List<String> cells) {
        rows.add(cells);
    }

    boolean isEmpty() {
        return rows.size() == 2;
    }

    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        rows.forEach(row -> table.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return table.append('\n').toString();
    }
}
