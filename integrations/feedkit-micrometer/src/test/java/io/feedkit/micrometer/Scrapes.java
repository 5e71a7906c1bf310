package io.feedkit.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The samples of a registry in the format of Prometheus, scraped once a minute. */
final class Scrapes {

    /** The seconds between two scrapes. */
    static final int INTERVAL = 60;

    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\",?");

    /** A value with its labels. */
    record Sample(Map<String, String> labels, double value) {}

    /** A time series: the values of the scrapes that have it, and the seconds of those. */
    record Series(Map<String, String> labels, List<Integer> times, List<Double> values) {}

    private final PrometheusMeterRegistry registry;
    private final Map<String, Map<Map<String, String>, Series>> metrics = new LinkedHashMap<>();
    private int now;

    Scrapes(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    /** Scrapes once more, as a server does that adds the labels job and instance. */
    void scrape() {
        now += INTERVAL;
        registry.scrape().lines().filter(line -> !line.startsWith("#")).forEach(this::add);
    }

    private void add(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalStateException("no sample: " + line);
        }
        Map<String, String> labels = new LinkedHashMap<>(Map.of("job", "feed", "instance", "host:80"));
        if (matcher.group(2) != null) {
            LABEL.matcher(matcher.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        Series series = metrics.computeIfAbsent(matcher.group(1), name -> new LinkedHashMap<>())
                .computeIfAbsent(labels, key -> new Series(key, new ArrayList<>(), new ArrayList<>()));
        series.times().add(now);
        series.values().add(Double.valueOf(matcher.group(3).replace("+Inf", "Infinity")));
    }

    /** The seconds of the last scrape. */
    int now() {
        return now;
    }

    /**
     * The series of a metric.
     *
     * @throws IllegalArgumentException if no scrape has such a metric, or it lacks one of the labels
     */
    List<Series> series(String metric, List<String> labels, Predicate<Map<String, String>> matches) {
        Map<Map<String, String>, Series> all = metrics.get(metric);
        if (all == null) {
            throw new IllegalArgumentException("there is no metric " + metric + ", only " + metrics.keySet());
        }
        for (Series series : all.values()) {
            if (!series.labels().keySet().containsAll(labels)) {
                throw new IllegalArgumentException(metric + " has no labels " + labels + ", only "
                        + new TreeSet<>(series.labels().keySet()));
            }
        }
        return all.values().stream()
                .filter(series -> matches.test(series.labels()))
                .toList();
    }
}
