package io.feedkit.bench;

import java.util.Locale;

/** Numbers in reports: three significant digits. */
final class Numbers {

    private Numbers() {}

    static String text(double number) {
        double size = Math.abs(number);
        if (size == Math.rint(size) || size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        String format = size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, number);
    }
}
