package io.feedkit.kafka.internal;

import java.time.Duration;

/** The host's settings of an intake. */
public record IntakeSettings(String topic, String group, String deadLetters, int batchSize, Duration sendTimeout) {}
