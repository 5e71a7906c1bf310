package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.CardPartFailed;
import io.feedkit.event.OperationStarted;
import io.feedkit.fanout.TaskKind;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The reference of meters")
class ReferenceTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "metrics.md");
    private static final Pattern ROW = Pattern.compile("\\| `(feedkit[a-z.]+)` \\| (\\w[\\w ]*) \\|(.*)\\|[^|]*\\|");
    private static final Pattern CODE = Pattern.compile("`([\\w.]+)`(:?)");

    private static List<MatchResult> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .flatMap(line -> ROW.matcher(line).results())
                .filter(row ->
                        List.of("counter", "timer", "gauge", "time gauge").contains(row.group(2)))
                .toList();
    }

    private static String type(Meter meter) {
        return meter instanceof TimeGauge
                ? "time gauge"
                : meter.getId().getType().name().toLowerCase(Locale.ROOT);
    }

    @Test
    @DisplayName("lists all meters, with their types and tags")
    void meters() throws IOException {
        MockClock clock = new MockClock();
        SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        Map<String, String> found = new LinkedHashMap<>();
        Map<String, TreeSet<String>> tags = new LinkedHashMap<>();
        try (MeasuredFeed feed = new MeasuredFeed(registry, clock)) {
            feed.work();
            feed.trouble();
            for (Meter meter : registry.getMeters()) {
                String name = meter.getId().getName();
                if (name.endsWith(".histogram")) { // made by this registry
                    continue;
                }
                found.put(name, type(meter));
                TreeSet<String> keys = tags.computeIfAbsent(name, each -> new TreeSet<>());
                meter.getId().getTags().stream().map(Tag::getKey).forEach(keys::add);
            }
        }
        Map<String, String> listed = new LinkedHashMap<>();
        for (MatchResult row : rows()) {
            String name = row.group(1);
            listed.put(name, row.group(2));
            TreeSet<String> keys = new TreeSet<>();
            CODE.matcher(row.group(3)).results().forEach(code -> {
                if (!code.group(2).isEmpty()
                        || tags.getOrDefault(name, new TreeSet<>()).contains(code.group(1))) {
                    keys.add(code.group(1));
                }
            });
            assertThat(keys).as(name).isEqualTo(tags.get(name));
        }
        assertThat(listed).isEqualTo(found);
    }

    @Test
    @DisplayName("lists the values of tags, and the alerts")
    void values() throws IOException {
        String page = Files.readString(PAGE);
        assertListed(page, TaskKind.values());
        assertListed(page, ReadSource.values());
        assertListed(page, CardPartFailed.Kind.values());
        assertListed(page, OperationStarted.Kind.values());
        assertThat(QueriesTest.alertNames())
                .allSatisfy(alert -> assertThat(page).contains("| `" + alert + "` |"));
    }

    private static void assertListed(String page, Enum<?>... constants) {
        assertThat(page)
                .contains(Arrays.stream(constants)
                        .map(each -> "`" + Names.of(each) + "`")
                        .toList());
    }
}
