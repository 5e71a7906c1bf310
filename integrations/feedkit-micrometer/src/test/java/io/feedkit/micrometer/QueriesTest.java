package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.feedkit.PageRequest;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.event.ArchiveStep;
import io.feedkit.event.CopyStep;
import io.feedkit.event.FeedRead;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.micrometer.Scrapes.Sample;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Runs each query of the dashboard, and each alert, on scrapes of a registry in the format of Prometheus. A real engine
 * has filled the registry.
 */
@Timeout(120)
@DisplayName("On scrapes of a real engine")
class QueriesTest {

    /** Begins the line of a value. */
    private static final String VALUE = "    ";

    private final MockClock meterClock = new MockClock();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), meterClock);
    private final MeasuredFeed feed = new MeasuredFeed(registry, meterClock);
    private final Scrapes scrapes = new Scrapes(registry);

    @AfterEach
    void close() {
        feed.close();
    }

    private static Map<String, Object> load(String resource) throws IOException {
        try (InputStream in = FeedMetrics.class.getResourceAsStream(resource)) {
            return new Yaml().load(new String(in.readAllBytes(), StandardCharsets.UTF_8)); // JSON is YAML, too
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> map, String key) {
        return (List<Map<String, Object>>) map.getOrDefault(key, List.of());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(Map<String, Object> map, String key) {
        return (Map<String, String>) map.get(key);
    }

    private static List<Map<String, Object>> panels() throws IOException {
        return list(load("grafana-dashboard.json"), "panels");
    }

    static List<String> queries() throws IOException {
        return panels().stream()
                .flatMap(panel -> list(panel, "targets").stream())
                .map(target -> (String) target.get("expr"))
                .toList();
    }

    private static List<Map<String, Object>> alerts() throws IOException {
        return list(load("prometheus-alerts.yml"), "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .toList();
    }

    private static String expression(String alert) throws IOException {
        return (String) alerts().stream()
                .filter(each -> each.get("alert").equals(alert))
                .findFirst()
                .orElseThrow()
                .get("expr");
    }

    /** Scrapes twice, after some work each time. */
    private void scrapeTwice(Consumer<MeasuredFeed> work) {
        feed.work();
        feed.trouble(); // from now on all meters exist
        for (int i = 0; i < 2; i++) {
            feed.work();
            work.accept(feed);
            scrapes.scrape();
        }
    }

    private List<Sample> run(String query) {
        return PromQl.evaluate(
                scrapes, query.replace("$job", ".*").replace("$__rate_interval", Scrapes.INTERVAL + "s"));
    }

    @ParameterizedTest
    @MethodSource("queries")
    @DisplayName("a query of the dashboard gives values")
    void dashboard(String query) {
        scrapeTwice(MeasuredFeed::trouble);
        assertThat(run(query))
                .as(query)
                .isNotEmpty()
                .allSatisfy(
                        sample -> assertThat(sample.value()).as("%s", sample).isNotNaN());
    }

    /** Lets every panel show something: failures, a suspected loss, a queue, counters, and a late post. */
    private static void eventfulDay(MeasuredFeed feed) {
        feed.trouble();
        feed.loseDeliveries();
        feed.metrics.queueTraffic(QueueTraffic.builder().lent(9).taken(6).build());
        feed.counters(WriteBehindStatus.builder()
                .written(feed.counters().written() + 480)
                .age(Duration.ofMillis(900))
                .cacheReachable(true)
                .build());
        feed.publish("user-bob");
        feed.pass(Duration.ofSeconds(12));
    }

    @Test
    @DisplayName("the recorded values of the dashboard are of its queries")
    void recorded() throws IOException {
        scrapeTwice(QueriesTest::eventfulDay);
        List<String> lines = new ArrayList<>();
        for (Map<String, Object> panel : panels()) {
            lines.add(list(panel, "targets").isEmpty() ? "# " + panel.get("title") : "## " + panel.get("title"));
            for (Map<String, Object> target : list(panel, "targets")) {
                lines.add((String) target.get("expr"));
                run((String) target.get("expr"))
                        .forEach(sample -> lines.add(VALUE + new TreeMap<>(sample.labels()) + " "
                                + String.format(Locale.ROOT, "%.4g", sample.value())));
            }
        }
        Files.write(Path.of("target", "dashboard.txt"), lines);
        assertThat(withoutValues(lines))
                .as("if the change is meant: cp target/dashboard.txt ../../docs/reference/dashboard.txt")
                .isEqualTo(
                        withoutValues(Files.readAllLines(Path.of("..", "..", "docs", "reference", "dashboard.txt"))));
    }

    /** Times differ from run to run. */
    private static List<String> withoutValues(List<String> lines) {
        return lines.stream()
                .map(line -> line.startsWith(VALUE) ? line.replaceAll("} .*", "}") : line)
                .toList();
    }

    @Test
    @DisplayName("the legends of the dashboard use labels that the results have")
    void legends() throws IOException {
        scrapeTwice(MeasuredFeed::trouble);
        for (Map<String, Object> panel : panels()) {
            for (Map<String, Object> target : list(panel, "targets")) {
                List<String> labels = Pattern.compile("\\{\\{(\\w+)}}")
                        .matcher((String) target.get("legendFormat"))
                        .results()
                        .map(label -> label.group(1))
                        .toList();
                assertThat(run((String) target.get("expr")))
                        .as("%s", target)
                        .allSatisfy(sample ->
                                assertThat(sample.labels().keySet()).containsExactlyInAnyOrderElementsOf(labels));
            }
        }
    }

    @Test
    @DisplayName("the dashboard and the alerts show every meter but those of parts of others")
    void everyMeter() throws IOException {
        scrapeTwice(MeasuredFeed::trouble);
        String all = Stream.concat(queries().stream(), alerts().stream().map(alert -> (String) alert.get("expr")))
                .collect(Collectors.joining("\n"));
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName().replace('.', '_'))
                .allSatisfy(name -> assertThat(all).contains(name));
    }

    /** For each alert, what makes it fire. */
    private static Map<String, Consumer<MeasuredFeed>> troubles() {
        Map<String, Consumer<MeasuredFeed>> troubles = new LinkedHashMap<>();
        troubles.put("FeedKitBacklogOld", feed -> {
            feed.publish("user-bob");
            feed.pass(Duration.ofSeconds(61));
        });
        troubles.put("FeedKitBacklogUnknown", feed -> {
            feed.store.fail(call -> call.operation().equals("fanout.queueStatus"), Fault.FAIL_BEFORE);
            feed.pass(Duration.ofSeconds(121));
        });
        troubles.put("FeedKitDeadLetters", MeasuredFeed::failPush);
        troubles.put(
                "FeedKitStoreDown",
                feed -> feed.store.fail(call -> call.operation().equals("inbox.count"), Fault.FAIL_BEFORE));
        troubles.put("FeedKitReadsFail", feed -> feed.failRead("user-ann"));
        troubles.put("FeedKitPublishesFail", MeasuredFeed::failPublish);
        troubles.put(
                "FeedKitReadsSlow",
                feed -> feed.metrics.read(FeedRead.builder("user-ann")
                        .fromInbox(1)
                        .took(Duration.ofMillis(900))
                        .build()));
        troubles.put("FeedKitTasksFail", feed -> {
            for (int i = 0; i < 10; i++) {
                feed.failPush();
            }
        });
        troubles.put("FeedKitDeliveriesLost", MeasuredFeed::loseDeliveries);
        troubles.put(
                "FeedKitQueueBlocked",
                feed -> feed.metrics.queueTraffic(
                        QueueTraffic.builder().blocked(true).build()));
        troubles.put(
                "FeedKitCountersUnwritten",
                feed -> feed.counters(WriteBehindStatus.builder()
                        .age(Duration.ofSeconds(61))
                        .cacheReachable(true)
                        .build()));
        troubles.put(
                "FeedKitArchiveFails",
                feed -> feed.metrics.archived(ArchiveStep.failed("archive.store failed", Duration.ofMillis(1))));
        troubles.put(
                "FeedKitCopiesFail",
                feed -> feed.metrics.copied(
                        CopyStep.without("ann", CopyStep.Outcome.FAILED, "copies.heads failed", Duration.ofMillis(1))));
        troubles.put(
                "FeedKitVerifyFinds",
                feed -> feed.metrics.verified(VerifyReport.builder()
                        .counts(Map.of(FindingKind.POST_MISSING, 2L))
                        .build()));
        return troubles;
    }

    static List<String> alertNames() throws IOException {
        return alerts().stream().map(alert -> (String) alert.get("alert")).toList();
    }

    @Test
    @DisplayName("each alert has a case in which it fires")
    void everyAlert() throws IOException {
        assertThat(troubles().keySet()).containsExactlyElementsOf(alertNames());
    }

    @ParameterizedTest
    @MethodSource("alertNames")
    @DisplayName("an alert fires in the trouble that it is for")
    void fires(String alert) throws IOException {
        scrapeTwice(troubles().get(alert));
        assertThat(run(expression(alert))).as(expression(alert)).isNotEmpty();
    }

    @Test
    @DisplayName("no alert fires while all is well")
    void quiet() throws IOException {
        feed.work();
        feed.trouble();
        List<String> dead = new ArrayList<>();
        feed.engine.fanout().deadLetters(100).forEach(letter -> dead.add(letter.id()));
        feed.engine.fanout().replay(dead);
        for (int i = 0; i < 2; i++) {
            feed.work();
            feed.engine.fanout().drain();
            feed.engine.read("user-ann", PageRequest.first(20));
            scrapes.scrape();
        }
        for (String alert : alertNames()) {
            assertThat(run(expression(alert))).as(alert).isEmpty();
        }
    }

    @Test
    @DisplayName("each alert says what it means and what to do first, and names labels that its samples have")
    void annotations() throws IOException {
        for (Map<String, Object> alert : alerts()) {
            Map<String, String> annotations = texts(alert, "annotations");
            assertThat(annotations).as("%s", alert).containsOnlyKeys("summary", "meaning", "first_step");
            assertThat(annotations.values()).allSatisfy(text -> assertThat(text).isNotBlank());
            assertThat(texts(alert, "labels").get("severity")).isIn("critical", "warning", "info");
            assertThat((String) alert.get("alert")).matches("FeedKit[A-Za-z]+");
            Pattern.compile("\\$labels\\.(\\w+)")
                    .matcher(annotations.get("summary"))
                    .results()
                    .forEach(label -> assertThat((String) alert.get("expr"))
                            .containsPattern("by \\([^)]*\\b" + label.group(1) + "\\b"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum(rate(feedkit_reads_count[1m]))",
                "sum by (sauce) (feedkit_reads_seconds_count)",
                "feedkit_reads_seconds_count{sauce=\"inbox\"}",
                "sum(rate(feedkit_reads_seconds_count[1m])",
                "avg(feedkit_reads_seconds_count)",
                "rate(feedkit_reads_seconds_count)",
                "feedkit_reads_seconds_count # all"
            })
    @DisplayName("a query with a wrong name, label or syntax is an error")
    void wrongQueries(String query) {
        scrapeTwice(feed -> {});
        assertThatIllegalArgumentException().isThrownBy(() -> run(query));
    }

    @Test
    @DisplayName("queries are computed as Prometheus does")
    void arithmetic() {
        for (int i = 0; i < 2; i++) {
            for (int reads = 0; reads < 60; reads++) {
                feed.metrics.read(FeedRead.builder("user-ann")
                        .fromInbox(3)
                        .fromOutboxes(1)
                        .took(Duration.ofMillis(reads < 45 ? 8 : 80))
                        .build());
            }
            scrapes.scrape();
        }
        assertThat(value("sum(rate(feedkit_reads_seconds_count[1m]))")).isEqualTo(1);
        assertThat(value("sum(increase(feedkit_reads_seconds_count{source=\"mixed\"}[60s]))"))
                .isEqualTo(60);
        assertThat(value("feedkit_read_posts_total{source!=\"outbox\"} * 2 + 1"))
                .isEqualTo(721);
        assertThat(value("sum(rate(feedkit_read_posts_total{source=\"inbox\"}[1m]))"
                        + " / sum(rate(feedkit_read_posts_total[1m]))"))
                .isEqualTo(0.75);
        String buckets = "sum by (le) (rate(feedkit_reads_seconds_bucket[1m]))";
        assertThat(value("histogram_quantile(0.5, " + buckets + ")")).isEqualTo(0.01);
        assertThat(value("histogram_quantile(0.99, " + buckets + ")")).isEqualTo(0.1);
        assertThat(run("max by (source) (feedkit_reads_seconds_count) > 0"))
                .containsExactly(new Sample(Map.of("source", "mixed"), 120));
        assertThat(run("max by (source) (feedkit_reads_seconds_count) > 120")).isEmpty();
        assertThat(run("min(feedkit_reads_seconds_count) == 0")).hasSize(1);
    }

    private double value(String query) {
        assertThat(run(query)).as(query).hasSize(1);
        return run(query).get(0).value();
    }
}
