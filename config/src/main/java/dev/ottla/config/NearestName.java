package dev.ottla.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Finds the name that a mistyped one was meant to be, by edit distance with swapped neighbours
/// counted once.
public final class NearestName {
    /// Longer input is no slip of the pen, and the search is quadratic.
    private static final int LONGEST = 120;

    private NearestName() {}

    /// Empty when none is near.
    public static Optional<String> among(Collection<String> names, String typed) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        String best = "";
        int bestDistance = Math.max(2, typed.length() / 4) + 1;
        for (String name : names) {
            if (Math.abs(name.length() - typed.length()) < bestDistance) {
                int distance = distance(name, normal(typed));
                if (distance < bestDistance) {
                    best = name;
                    bestDistance = distance;
                }
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /// Underscores, dashes and capitals are the usual slips.
    private static String normal(String typed) {
        return typed.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
    }

    private static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }
}
