/** Fan-out through queues, against workers that claim their tasks from the log. */
@NullMarked
package io.feedkit.bench.brokers;

import org.jspecify.annotations.NullMarked;
