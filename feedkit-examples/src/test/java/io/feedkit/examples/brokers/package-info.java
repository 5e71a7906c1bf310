@NullMarked
package io.feedkit.examples.brokers;

import org.jspecify.annotations.NullMarked;
