package dev.ottla.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A picture of a family: one line a figure, Ottla over Kafka on a logarithmic axis, a dot for the
/// medians and a bar for how far the runs allow it to be.
final class RatioPicture {
    private static final int LABEL_WIDTH = 560;
    private static final int AXIS_WIDTH = 420;
    private static final int LINE_HEIGHT = 18;
    private static final int TOP = 44;
    private static final double LEAST = 0.01;
    private static final double GREATEST = 100;

    private RatioPicture() {}

    static String draw(String title, Samples samples) {
        List<Line> lines = lines(samples);
        int height = TOP + LINE_HEIGHT * (lines.size() + 2);
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        .formatted(LABEL_WIDTH + AXIS_WIDTH + 30, height));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        svg.append(text(10, 18, "start", title + ": Ottla ÷ Kafka (median, range)"));
        int bottom = TOP + LINE_HEIGHT * lines.size();
        for (double tick : new double[] {0.01, 0.1, 0.5, 1, 2, 10, 100}) {
            String colour = tick == 1 ? "#444" : "#ddd";
            svg.append(
                    line(x(tick), TOP - 6, x(tick), bottom, colour)
                            + text((int) x(tick), bottom + 14, "middle", label(tick)));
        }
        int y = TOP + 4;
        for (Line line : lines) {
            svg.append(text(LABEL_WIDTH - 10, y + 4, "end", line.label()));
            svg.append(line(x(line.ratio().min()), y, x(line.ratio().max()), y, "#9ab"));
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"#147\"/>%n",
                            x(line.ratio().median()),
                            y));
            y += LINE_HEIGHT;
        }
        return svg.append("</svg>\n").toString();
    }

    private static List<Line> lines(Samples samples) {
        List<Line> lines = new ArrayList<>();
        for (Samples.Key key : samples.keys()) {
            Optional<Spread> ratio =
                    samples.spread(key, Sample.OTTLA)
                            .flatMap(ottla -> samples.spread(key, Sample.KAFKA).map(ottla::over));
            ratio.filter(r -> Double.isFinite(r.median()) && r.median() > 0)
                    .ifPresent(r -> lines.add(new Line(key.scenario() + ": " + key.figure(), r)));
        }
        return lines;
    }

    /// Where a ratio stands; what lies outside the axis stands at its end.
    private static double x(double ratio) {
        double inside = Double.isNaN(ratio) ? 1 : Math.clamp(ratio, LEAST, GREATEST);
        double share = Math.log(inside / LEAST) / Math.log(GREATEST / LEAST);
        return LABEL_WIDTH + share * AXIS_WIDTH;
    }

    private static String label(double tick) {
        return tick < 1 ? Double.toString(tick) : Integer.toString((int) tick);
    }

    private static String line(double x1, int y1, double x2, int y2, String colour) {
        return String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour);
    }

    private static String text(int x, int y, String anchor, String content) {
        String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n"
                .formatted(x, y, anchor, escaped);
    }

    private record Line(String label, Spread ratio) {}
}
