package io.feedkit.redis.internal.check;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Redis. Valkey answers with the version of Redis that it is compatible with. */
record RedisVersion(int major, int minor) implements Comparable<RedisVersion> {

    static final RedisVersion OLDEST = new RedisVersion(6, 2);

    private static final Pattern NUMBERS = Pattern.compile("^(\\d{1,5})\\.(\\d{1,5})");
    private static final Comparator<RedisVersion> ORDER =
            Comparator.comparingInt(RedisVersion::major).thenComparingInt(RedisVersion::minor);

    static Optional<RedisVersion> parse(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.find()
                ? Optional.of(new RedisVersion(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(RedisVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
