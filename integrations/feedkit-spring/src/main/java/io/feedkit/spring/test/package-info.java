/** The slice for tests of hosts: {@link io.feedkit.spring.test.FeedKitTest}. */
@NullMarked
package io.feedkit.spring.test;

import org.jspecify.annotations.NullMarked;
