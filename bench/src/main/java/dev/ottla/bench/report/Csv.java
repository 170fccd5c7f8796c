package dev.ottla.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Raw data as lines of text.
///
///     scenario,figure,side,round,value
public final class Csv {
    private static final String HEADER = "scenario,figure,side,round,value";

    private Csv() {}

    static String write(Samples samples) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (Sample sample : samples.all()) {
            text.append(quoted(sample.scenario())).append(',');
            text.append(quoted(sample.figure())).append(',');
            text.append(sample.side()).append(',');
            text.append(sample.round()).append(',');
            text.append(sample.value()).append('\n');
        }
        return text.toString();
    }

    /// Values of every second, one line each.
    ///
    ///     scenario,side,round,second,value
    static String write(List<Series> series) {
        StringBuilder text = new StringBuilder("scenario,side,round,second,value\n");
        for (Series each : series) {
            for (int second = 0; second < each.values().size(); second++) {
                text.append(quoted(each.scenario())).append(',').append(each.side()).append(',');
                text.append(each.round()).append(',').append(second).append(',');
                text.append(each.values().get(second)).append('\n');
            }
        }
        return text.toString();
    }

    static Samples read(String text) {
        Samples samples = new Samples();
        for (String line : text.lines().skip(1).toList()) {
            List<String> fields = List.of(line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1));
            samples.add(
                    new Sample(
                            plain(fields.get(0)),
                            plain(fields.get(1)),
                            fields.get(2),
                            Integer.parseInt(fields.get(3)),
                            Double.parseDouble(fields.get(4))));
        }
        return samples;
    }

    /// What a file holds; nothing when there is none.
    public static Samples readFile(Path file) throws IOException {
        return Files.exists(file) ? read(Files.readString(file)) : new Samples();
    }

    public static void writeFile(Path file, Samples samples) throws IOException {
        Files.writeString(file, write(samples));
    }

    private static String quoted(String field) {
        return field.contains(",") ? '"' + field + '"' : field;
    }

    private static String plain(String field) {
        return field.replace("\"", "");
    }
}
