package dev.ottla.wire;

/// Sentences for clients. They name what the client asked for, which may be as long as a string can
/// be, so the sentence around it would not fit into its answer.
public final class ErrorText {
    /// Enough for a name of full length and all that is said about it.
    static final int MAX_CHARS = 2000;

    private ErrorText() {}

    /// The sentence, or as much of its beginning as every client takes.
    public static String bounded(String sentence) {
        if (sentence.length() <= MAX_CHARS) return sentence;
        boolean splitsPair = Character.isHighSurrogate(sentence.charAt(MAX_CHARS - 1));
        return sentence.substring(0, splitsPair ? MAX_CHARS - 1 : MAX_CHARS) + "…";
    }
}
