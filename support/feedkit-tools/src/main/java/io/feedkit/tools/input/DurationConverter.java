package io.feedkit.tools.input;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration such as {@code 7d}, {@code 3h}, {@code 90m} or {@code 45s}. */
public final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        if (!text.matches("[0-9]{1,9}[dhms]")) {
            throw new TypeConversionException("must be a number of days, hours, minutes or seconds, such as 7d, 3h, "
                    + "90m or 45s, but is " + text);
        }
        int last = text.length() - 1;
        ChronoUnit unit = switch (text.charAt(last)) {
            case 'd' -> ChronoUnit.DAYS;
            case 'h' -> ChronoUnit.HOURS;
            case 'm' -> ChronoUnit.MINUTES;
            default -> ChronoUnit.SECONDS;
        };
        return Duration.of(Long.parseLong(text.substring(0, last)), unit);
    }
}
