/**
 * Metrics and traces of feed engines. Read {@link io.feedkit.micrometer.FeedMetrics} first: it records meters.
 * {@link io.feedkit.micrometer.FeedObservations} makes observations, from which tracers make spans.
 *
 * <p>The jar has a dashboard for Grafana and alerts for Prometheus: {@code grafana-dashboard.json} and
 * {@code prometheus-alerts.yml} in the directory of this package.
 */
@NullMarked
package io.feedkit.micrometer;

import org.jspecify.annotations.NullMarked;
