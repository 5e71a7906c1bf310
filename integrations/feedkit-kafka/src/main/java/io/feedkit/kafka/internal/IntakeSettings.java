package io.feedkit.kafka.internal;

import java.time.Duration;

/** What the host has set for an intake. */
public record IntakeSettings(String topic, String group, String deadLetters, int batchSize, Duration sendTimeout) {}
