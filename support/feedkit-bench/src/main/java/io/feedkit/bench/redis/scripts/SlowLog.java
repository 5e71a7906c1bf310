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
 * Sees how long calls hold the server, by the server's own slow log: of each, the longest of the commands and scripts
 * it consists of.
 */
final class SlowLog {

    /** What takes less takes this in the figures; logging the steps of scripts as well would make them longer. */
    private static final long SHORTEST_MICROS = 20;

    private static final double MICROS = 1000;

    private final StatefulRedisConnection<String, String> connection;
    private final Map<String, List<Long>> longest = new LinkedHashMap<>();

    SlowLog(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        connection.sync().configSet("slowlog-max-len", "100000");
        connection.sync().configSet("slowlog-log-slower-than", Long.toString(SHORTEST_MICROS));
    }

    /** Makes a call that is one of its kind. */
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

    /** Of each kind the longest, against the median. */
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

    /** Neither part of a script, nor one of this log's own. */
    private static boolean isCall(List<?> entry) {
        String command = String.valueOf(((List<?>) entry.get(3)).get(0)).toUpperCase(Locale.ROOT);
        boolean ofScript = "?:0".equals(entry.get(4));
        return !ofScript && !command.equals("SLOWLOG");
    }
}
