package dev.ottla.chaos.report;

import dev.ottla.chaos.check.Anomaly;
import dev.ottla.chaos.check.Findings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The page of a run: one file that needs no other.
final class HtmlReport {
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 220;
    private static final int FAULT_ROW = 14;
    private static final String STYLE =
            """
            body{font:15px/1.45 system-ui,sans-serif;max-width:1140px;margin:2em auto;color:#222}
            table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}
            pre{background:#f5f5f5;padding:.6em;overflow-x:auto;font-size:12px}
            .PASS{color:#12703a}.ANOMALY{color:#b00020}.VOID{color:#9a6700}
            svg{background:#fafafa;border:1px solid #ddd}
            """;

    private final Totals totals;
    private final Findings findings;
    private final List<Evidence> evidence;
    private final Verdict verdict;

    /// @param evidence of each anomaly that was kept
    HtmlReport(Totals totals, Findings findings, List<Evidence> evidence, Verdict verdict) {
        this.totals = totals;
        this.findings = findings;
        this.evidence = evidence;
        this.verdict = verdict;
    }

    String page(String repeat, Path history) {
        StringBuilder page = new StringBuilder(64 << 10);
        page.append("<!doctype html><html lang=en><meta charset=utf-8><title>Ottla chaos</title>");
        page.append("<style>").append(STYLE).append("</style><h1>Ottla under faults</h1>");
        page.append("<p class=").append(verdict.outcome()).append("><b>");
        page.append(escape(verdict.text())).append("</b></p>");
        totals.run()
                .ifPresent(run ->
                        page.append(
                                "<p>%d nodes, %d s, faults %s, seed %d</p>"
                                        .formatted(
                                                run.nodes(),
                                                run.seconds(),
                                                String.join(", ", run.faults()),
                                                run.seed())));
        if (totals.isGiven()) {
            page.append("<p>").append(Judgement.NO_FILES).append("</p>");
        }
        page.append("<p>History: <code>").append(escape(history.toString())).append("</code>");
        if (!repeat.isEmpty()) {
            page.append("<br>Repeat with: <code>").append(escape(repeat)).append("</code>");
        }
        page.append("</p>");
        anomalies(page);
        timeline(page);
        figures(page);
        gaps(page);
        faults(page);
        return page.append("</html>\n").toString();
    }

    private void anomalies(StringBuilder page) {
        List<Anomaly> kept = findings.kept();
        if (kept.isEmpty()) {
            return;
        }
        page.append("<h2>Anomalies</h2>");
        new TreeMap<>(findings.counts())
                .forEach((kind, count) ->
                        page.append("<p>%s: %d</p>".formatted(kind.title(), count)));
        for (int i = 0; i < kept.size(); i++) {
            page.append("<details><summary>").append(escape(kept.get(i).text()));
            page.append("</summary><pre>");
            evidence.get(i).lines().forEach(line -> page.append(escape(line)).append('\n'));
            page.append("</pre></details>");
        }
    }

    private void timeline(StringBuilder page) {
        List<Long> rates = totals.acknowledgedInSecond();
        int seconds = Math.max(1, rates.size());
        long most = Math.max(1, rates.stream().mapToLong(Long::longValue).max().orElse(1));
        double second = (double) WIDTH / seconds;
        int height = HEIGHT + 3 * FAULT_ROW;
        page.append("<h2>Timeline</h2><svg width=%d height=%d>".formatted(WIDTH, height));
        int row = 0;
        for (Totals.PlayedFault fault : totals.faults()) {
            double from = fault.beganMs() / 1_000.0 * second;
            double to = Math.max(from + 2, fault.endedMs() / 1_000.0 * second);
            String title =
                    "%d %s %.1f-%.1f s %s"
                            .formatted(
                                    fault.number(),
                                    fault.kind(),
                                    fault.beganMs() / 1_000.0,
                                    fault.endedMs() / 1_000.0,
                                    fault.detail());
            page.append(
                    String.format(
                            Locale.ROOT,
                            "<rect x=%.1f y=0 width=%.1f height=%d fill='%s' opacity=.25><title>%s</title></rect>",
                            from,
                            to - from,
                            HEIGHT,
                            color(fault.kind()),
                            escape(title)));
            page.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=%.1f y=%d font-size=10>%d</text>",
                            from,
                            HEIGHT + FAULT_ROW * (1 + row++ % 3),
                            fault.number()));
        }
        bars(page, rates, most, second, "#2b6cb0");
        bars(page, totals.failedInSecond(), most, second, "#b00020");
        marks(page, second);
        page.append("</svg><p>Blue: acknowledged records in each second, at most ");
        page.append(String.format(Locale.ROOT, "%,d", most));
        page.append(
                "; red: records without an answer; bands: faults, by their numbers; red lines: anomalies.</p>");
    }

    private void marks(StringBuilder page, double second) {
        for (int i = 0; i < evidence.size(); i++) {
            if (evidence.get(i).atMs() >= 0) {
                page.append(
                        String.format(
                                Locale.ROOT,
                                "<rect x=%.1f y=0 width=2 height=%d fill='#b00020'><title>%s</title></rect>",
                                evidence.get(i).atMs() / 1_000.0 * second,
                                HEIGHT,
                                escape(findings.kept().get(i).text())));
            }
        }
    }

    private static void bars(
            StringBuilder page, List<Long> perSecond, long most, double second, String color) {
        for (int i = 0; i < perSecond.size(); i++) {
            if (perSecond.get(i) > 0) {
                double bar = Math.min(HEIGHT, (double) perSecond.get(i) * HEIGHT / most);
                page.append(
                        String.format(
                                Locale.ROOT,
                                "<rect x=%.1f y=%.1f width=%.2f height=%.1f fill='%s'/>",
                                i * second,
                                HEIGHT - bar,
                                Math.max(0.5, second * 0.8),
                                bar,
                                color));
            }
        }
    }

    /// One for each kind, the same on every page.
    private static String color(String kind) {
        return "hsl(%d 70%% 45%%)".formatted(Math.floorMod(kind.hashCode() * 31, 360));
    }

    private void figures(StringBuilder page) {
        page.append("<h2>Figures</h2><table>");
        row(page, "Acknowledged records", String.format("%,d", totals.acknowledged()));
        row(page, "a second outside faults", String.format("%,d", totals.quietRate()));
        row(page, "Records without an answer", String.format("%,d", totals.failed()));
        row(page, "Records given to readers", String.format("%,d", totals.read()));
        row(page, "Faults", String.valueOf(totals.played()));
        row(
                page,
                "Until all was in sync and answered",
                totals.healingMs().map(ms -> ms + " ms").orElse("never"));
        page.append("</table>");
    }

    private void gaps(StringBuilder page) {
        page.append("<h2>Longest time without a write to a partition</h2><table>");
        for (Map.Entry<String, Long> gap : totals.longestGapsMs().entrySet()) {
            row(page, gap.getKey(), gap.getValue() + " ms");
        }
        page.append("</table>");
    }

    private void faults(StringBuilder page) {
        page.append("<h2>Faults</h2><table>");
        for (Totals.PlayedFault fault : totals.faults()) {
            page.append(
                    String.format(
                            Locale.ROOT,
                            "<tr><td>%d<td>%.1f s<td>%d ms<td>%s<td>%s<td>%s</tr>",
                            fault.number(),
                            fault.beganMs() / 1_000.0,
                            fault.endedMs() - fault.beganMs(),
                            fault.kind(),
                            fault.done() ? "" : "not played",
                            escape(fault.detail())));
        }
        page.append("</table>");
    }

    private static void row(StringBuilder page, String name, String value) {
        page.append("<tr><td>").append(escape(name)).append("<td>").append(escape(value));
        page.append("</tr>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;");
    }
}
