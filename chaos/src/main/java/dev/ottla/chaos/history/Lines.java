package dev.ottla.chaos.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;

/// Lines as JSON: `{"at":1200,"event":{"is":"sent","writer":3,…}}`. Thread-safe.
public final class Lines {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectWriter WRITER = MAPPER.writerFor(Written.class);
    private static final ObjectReader READER = MAPPER.readerFor(Written.class);

    private record Written(long at, Event event) {}

    private Lines() {}

    public static String write(long atMs, Event event) {
        try {
            return WRITER.writeValueAsString(new Written(atMs, event));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON: " + event, e);
        }
    }

    /// Throws [IllegalArgumentException] when it is none.
    public static Line read(long line, String text) {
        try {
            Written written = READER.readValue(text);
            return new Line(line, written.at(), written.event());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "line %d of the history cannot be read: %s"
                            .formatted(line, e.getOriginalMessage()),
                    e);
        }
    }
}
