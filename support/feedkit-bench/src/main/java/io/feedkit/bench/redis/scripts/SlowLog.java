package io.feedkit.bench.redis.scripts;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Target;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Measures how long calls occupy the server, with the server's own slow log. The time of a call is that of the longest
 * of its commands and scripts.
 */
final class SlowLog {

    /**
     * Shorter calls have this time in the figures. A lower threshold would also log the steps of scripts, which would
     * slow them down.
     */
    private static final long SHORTEST_MICROS = 20;

    private static final double MICROS = 1000;

    private final StatefulRedisConnection<String, String> connection;
    private final Map<String, List<Long>> longest = new LinkedHashMap<>();

    SlowLog(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        connection.sync().configSet("slowlog-max-len", "100000");
        connection.sync().configSet("slowlog-log-slower-than", Long.toString(SHORTEST_MICROS));
    }

    /** Makes a call of a kind, and records its time. */
    <T> T of(String kind, Supplier<T> call) {
        connection.sync().slowlogReset();
        T answer = call.get();
        long micros = connection.sync().slowlogGet(-1).stream()
                .map(entry -> (List<?>) entry)
                .filter(SlowLog::isCall)
                .mapToLong(entry -> (Long) entry.get(2))
                .max()
                .orElse(SHORTEST_MICROS);
        longest.computeIfAbsent(kind, missing -> new ArrayList<>()).add(micros);
        return answer;
    }

    void of(String kind, Runnable call) {
        of(kind, () -> {
            call.run();
            return kind;
        });
    }

    /** For each kind the longest time, against the median. */
    List<Figure> figures(String measurement) {
        return longest.entrySet().stream()
                .map(kind -> figure(measurement + ": " + kind.getKey(), kind.getValue()))
                .toList();
    }

    private static Figure figure(String name, List<Long> micros) {
        List<Long> sorted = micros.stream().sorted().toList();
        double most = sorted.get(sorted.size() - 1) / MICROS;
        double median = sorted.get(sorted.size() / 2) / MICROS;
        return new Figure(name + ", the longest (against the median)", "ms", most, median, Target.NONE);
    }

    /** Whether an entry is a call: not part of a script, and not a command of this class. */
    private static boolean isCall(List<?> entry) {
        String command = String.valueOf(((List<?>) entry.get(3)).get(0)).toUpperCase(Locale.ROOT);
        boolean ofScript = "?:0".equals(entry.get(4));
        return !ofScript && !command.equals("SLOWLOG");
    }
}
