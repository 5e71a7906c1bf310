package io.feedkit.micrometer;

import io.feedkit.micrometer.Scrapes.Sample;
import io.feedkit.micrometer.Scrapes.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Evaluates a query at the time of the last scrape. Knows the part of PromQL that the dashboard and the alerts use:
 * selectors, {@code rate} and {@code increase}, {@code histogram_quantile}, {@code sum}, {@code min} and {@code max}
 * with {@code by}, {@code + - * /} and comparisons with a number. Anything else, an unknown metric and an unknown label
 * are errors. A rate is not extrapolated, and counters are never reset.
 */
final class PromQl {

    private static final Pattern TOKEN =
            Pattern.compile("\\s*(?:(?<number>\\d+(?:\\.\\d+)?(?![\\w]))|(?<string>\"[^\"]*\")|(?<duration>\\d+[smh])"
                    + "|(?<name>[a-zA-Z_]\\w*)|(?<sign>=~|!=|==|>=|<=|[-+*/(){}\\[\\],=<>]))");

    private static final List<String> AGGREGATIONS = List.of("sum", "min", "max");

    private final Scrapes scrapes;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    private PromQl(Scrapes scrapes, String query) {
        this.scrapes = scrapes;
        Matcher matcher = TOKEN.matcher(query);
        int at = 0;
        while (at < query.strip().length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException("cannot read \"" + query.substring(at) + "\"");
            }
            tokens.add(matcher.group().strip());
            at = matcher.end();
        }
    }

    /** The result of a query: a vector, or a number as one sample without labels. */
    static List<Sample> evaluate(Scrapes scrapes, String query) {
        PromQl parser = new PromQl(scrapes, query.strip());
        Value value = parser.comparison();
        if (parser.next < parser.tokens.size()) {
            throw new IllegalArgumentException("unexpected " + parser.peek() + " in " + query);
        }
        return value.samples();
    }

    /** A vector, or a number. */
    private record Value(List<Sample> samples, Optional<Double> number) {

        static Value of(List<Sample> samples) {
            return new Value(samples, Optional.empty());
        }

        static Value of(double number) {
            return new Value(List.of(new Sample(Map.of(), number)), Optional.of(number));
        }
    }

    private String peek() {
        return next < tokens.size() ? tokens.get(next) : "the end";
    }

    private String take() {
        String token = peek();
        next++;
        return token;
    }

    private boolean takeIf(String token) {
        boolean is = peek().equals(token);
        next += is ? 1 : 0;
        return is;
    }

    private void expect(String token) {
        if (!takeIf(token)) {
            throw new IllegalArgumentException("expected " + token + ", but there is " + peek() + " in " + tokens);
        }
    }

    private Value comparison() {
        Value left = sum();
        String sign = peek();
        if (!List.of(">", "<", "==", "!=", ">=", "<=").contains(sign)) {
            return left;
        }
        take();
        double right = sum().number().orElseThrow();
        Predicate<Double> holds = switch (sign) {
            case ">" -> value -> value > right;
            case "<" -> value -> value < right;
            case ">=" -> value -> value >= right;
            case "<=" -> value -> value <= right;
            case "==" -> value -> value == right;
            default -> value -> value != right;
        };
        return Value.of(left.samples().stream()
                .filter(sample -> holds.test(sample.value()))
                .toList());
    }

    private Value sum() {
        Value left = product();
        while (peek().equals("+") || peek().equals("-")) {
            boolean plus = take().equals("+");
            left = combine(left, product(), plus ? Double::sum : (one, other) -> one - other);
        }
        return left;
    }

    private Value product() {
        Value left = term();
        while (peek().equals("*") || peek().equals("/")) {
            boolean times = take().equals("*");
            left = combine(left, term(), times ? (one, other) -> one * other : (one, other) -> one / other);
        }
        return left;
    }

    /** Combines samples with equal labels. */
    private static Value combine(Value left, Value right, DoubleBinaryOperator operator) {
        if (left.number().isPresent() && right.number().isPresent()) {
            return Value.of(
                    operator.applyAsDouble(left.number().get(), right.number().get()));
        }
        List<Sample> combined = new ArrayList<>();
        for (Sample one : left.samples()) {
            for (Sample other : right.samples()) {
                boolean isScalar = left.number().isPresent() || right.number().isPresent();
                if (isScalar || one.labels().equals(other.labels())) {
                    Map<String, String> labels = left.number().isPresent() ? other.labels() : one.labels();
                    combined.add(new Sample(labels, operator.applyAsDouble(one.value(), other.value())));
                }
            }
        }
        return Value.of(combined);
    }

    private Value term() {
        if (takeIf("(")) {
            Value inner = comparison();
            expect(")");
            return inner;
        }
        String token = take();
        if (Character.isDigit(token.charAt(0))) {
            return Value.of(Double.parseDouble(token));
        }
        if (AGGREGATIONS.contains(token)) {
            return aggregation(token);
        }
        if (token.equals("rate") || token.equals("increase")) {
            return increase(token.equals("rate"));
        }
        return token.equals("histogram_quantile") ? quantile() : instant(token);
    }

    private Value aggregation(String name) {
        List<String> by = takeIf("by") ? names() : List.of();
        expect("(");
        Value inner = comparison();
        expect(")");
        Map<Map<String, String>, List<Double>> groups = new LinkedHashMap<>();
        for (Sample sample : inner.samples()) {
            Map<String, String> labels = new TreeMap<>();
            for (String label : by) {
                if (!sample.labels().containsKey(label)) {
                    throw new IllegalArgumentException("there is no label " + label + " in " + sample.labels());
                }
                labels.put(label, sample.labels().get(label));
            }
            groups.computeIfAbsent(labels, key -> new ArrayList<>()).add(sample.value());
        }
        List<Sample> samples = new ArrayList<>();
        groups.forEach((labels, values) -> samples.add(new Sample(labels, aggregate(name, values))));
        return Value.of(samples);
    }

    /** As Prometheus does, the least and the greatest leave out values that are not numbers, if there are others. */
    private static double aggregate(String name, List<Double> values) {
        DoubleStream numbers = values.stream()
                .filter(value -> name.equals("sum") || !value.isNaN())
                .mapToDouble(Double::doubleValue);
        return switch (name) {
            case "sum" -> numbers.sum();
            case "min" -> numbers.min().orElse(Double.NaN);
            default -> numbers.max().orElse(Double.NaN);
        };
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        expect("(");
        do {
            names.add(take());
        } while (takeIf(","));
        expect(")");
        return names;
    }

    private List<Series> selector(String metric) {
        List<String> labels = new ArrayList<>();
        Predicate<Map<String, String>> matches = all -> true;
        if (takeIf("{")) {
            do {
                String label = take();
                String sign = take();
                String value = take().replace("\"", "");
                labels.add(label);
                matches = matches.and(
                        switch (sign) {
                            case "=" -> all -> all.get(label).equals(value);
                            case "!=" -> all -> !all.get(label).equals(value);
                            case "=~" -> all -> all.get(label).matches(value);
                            default -> throw new IllegalArgumentException("unknown " + sign);
                        });
            } while (takeIf(","));
            expect("}");
        }
        return scrapes.series(metric, labels, matches);
    }

    private Value instant(String metric) {
        return Value.of(selector(metric).stream()
                .filter(series -> last(series.times()) == scrapes.now())
                .map(series -> new Sample(series.labels(), last(series.values())))
                .toList());
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    private Value increase(boolean perSecond) {
        expect("(");
        List<Series> selected = selector(take());
        expect("[");
        int range = seconds(take());
        expect("]");
        expect(")");
        List<Sample> samples = new ArrayList<>();
        for (Series series : selected) {
            int first = 0;
            while (series.times().get(first) < scrapes.now() - range) {
                first++;
            }
            int seconds = last(series.times()) - series.times().get(first);
            if (seconds > 0) {
                double increase = last(series.values()) - series.values().get(first);
                samples.add(new Sample(series.labels(), perSecond ? increase / seconds : increase));
            }
        }
        return Value.of(samples);
    }

    private static int seconds(String duration) {
        int number = Integer.parseInt(duration.substring(0, duration.length() - 1));
        return switch (duration.charAt(duration.length() - 1)) {
            case 's' -> number;
            case 'm' -> 60 * number;
            default -> 3600 * number;
        };
    }

    /** The upper bound of the bucket in which a quantile lies; not interpolated. */
    private Value quantile() {
        expect("(");
        double quantile = sum().number().orElseThrow();
        expect(",");
        Value buckets = comparison();
        expect(")");
        Map<Map<String, String>, TreeMap<Double, Double>> histograms = new LinkedHashMap<>();
        for (Sample sample : buckets.samples()) {
            Map<String, String> labels = new TreeMap<>(sample.labels());
            String bound = labels.remove("le");
            histograms
                    .computeIfAbsent(labels, key -> new TreeMap<>())
                    .put(Double.valueOf(bound.replace("+Inf", "Infinity")), sample.value());
        }
        List<Sample> samples = new ArrayList<>();
        histograms.forEach((labels, counts) -> {
            double rank = quantile * counts.lastEntry().getValue();
            double bound = rank == 0
                    ? Double.NaN
                    : counts.entrySet().stream()
                            .filter(bucket -> bucket.getValue() >= rank)
                            .findFirst()
                            .orElseThrow()
                            .getKey();
            samples.add(new Sample(labels, bound));
        });
        return Value.of(samples);
    }
}
