package dev.ottla.bench.report;

import java.util.List;
import java.util.Locale;

/// A picture of one scenario over time: a line for each run of each side, seconds to the right, the
/// figure upwards on a logarithmic axis.
final class SeriesPicture {
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 260;
    private static final double LEAST = 0.1;

    private SeriesPicture() {}

    static String draw(String title, List<Series> series) {
        int seconds = series.stream().mapToInt(s -> s.values().size()).max().orElse(1);
        double greatest =
                series.stream()
                        .flatMap(s -> s.values().stream())
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1);
        double top = Math.pow(10, Math.ceil(Math.log10(Math.max(greatest, 1))));
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        .formatted(LEFT + WIDTH + 20, TOP + HEIGHT + 40));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        svg.append(text(LEFT, 18, title));
        svg.append(text(LEFT, TOP + HEIGHT + 30, "seconds; blue: Ottla, orange: Kafka"));
        for (double tick = LEAST; tick <= top; tick *= 10) {
            double y = y(tick, top);
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                            LEFT,
                            y,
                            LEFT + WIDTH,
                            y));
            svg.append(text(8, (int) y + 4, Spread.number(tick)));
        }
        for (Series each : series) svg.append(line(each, seconds, top));
        return svg.append("</svg>\n").toString();
    }

    private static String line(Series series, int seconds, double top) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < series.values().size(); i++) {
            double x = LEFT + (double) WIDTH * i / Math.max(1, seconds - 1);
            points.append(
                    String.format(Locale.ROOT, "%.1f,%.1f ", x, y(series.values().get(i), top)));
        }
        String colour = series.side().equals(Sample.OTTLA) ? "#147" : "#e80";
        return "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n"
                .formatted(points.toString().strip(), colour);
    }

    private static double y(double value, double top) {
        double inside = Math.clamp(value, LEAST, top);
        return TOP + HEIGHT * (1 - Math.log(inside / LEAST) / Math.log(top / LEAST));
    }

    private static String text(int x, int y, String content) {
        return "<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, content);
    }
}
