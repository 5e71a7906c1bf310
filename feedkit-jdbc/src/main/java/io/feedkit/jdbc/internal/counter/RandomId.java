package io.feedkit.jdbc.internal.counter;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Chooses a random id at which a scan of rows starts. The scans of several processes, and of a process that restarts
 * often, then do not all visit the same rows.
 */
final class RandomId {

    /** How many characters are random. */
    private static final int LENGTH = 8;

    private RandomId() {}

    /**
     * Creates an id from the common prefix of two ids and random characters of the kinds that follow the prefix in
     * them.
     *
     * @param lowest the lowest id
     * @param highest the highest id
     */
    static String between(String lowest, String highest, RandomGenerator random) {
        int same = 0;
        while (same < Math.min(lowest.length(), highest.length()) && lowest.charAt(same) == highest.charAt(same)) {
            same++;
        }
        String id = lowest.substring(0, same);
        if (same == highest.length()) {
            return id;
        }
        String rest = lowest.substring(same) + highest.substring(same);
        int first = same < lowest.length() ? lowest.charAt(same) : 0;
        StringBuilder between = new StringBuilder(id).append(letter(rest, first, highest.charAt(same), random));
        int least = rest.chars().min().orElseThrow();
        int most = rest.chars().max().orElseThrow();
        for (int i = 1; i < LENGTH; i++) {
            between.append(letter(rest, least, most, random));
        }
        return between.toString();
    }

    /**
     * Chooses a random character of a range, of a kind that occurs in a text. The last character of the range must
     * occur in the text.
     */
    private static char letter(String text, int least, int most, RandomGenerator random) {
        int[] letters = IntStream.rangeClosed(least, most)
                .filter(letter -> text.chars().anyMatch(isLike(letter)))
                .toArray();
        return (char) letters[random.nextInt(letters.length)];
    }

    private static IntPredicate isLike(int letter) {
        return other -> kind(other) == kind(letter);
    }

    /** The kind of a character: a negative number for digits and letters, otherwise the character itself. */
    private static int kind(int letter) {
        if (Character.isDigit(letter)) {
            return -1;
        }
        if (Character.isUpperCase(letter)) {
            return -2;
        }
        return Character.isLowerCase(letter) ? -3 : letter;
    }
}
