@NullMarked
package io.feedkit.tools.brokers;

import org.jspecify.annotations.NullMarked;
