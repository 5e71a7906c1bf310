/** Who asks: apps, logging in, tokens, and which requests need one. Read {@code SecurityConfiguration} first. */
@NullMarked
package io.feedkit.examples.microblog.oauth;

import org.jspecify.annotations.NullMarked;
