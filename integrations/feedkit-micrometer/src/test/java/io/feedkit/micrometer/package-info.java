/**
 * Tests of metrics and observations on real engines in memory. {@code PromQl} evaluates the queries of the dashboard
 * and of the alerts on scrapes in the format of Prometheus.
 */
package io.feedkit.micrometer;
