/** What all answers have in common: errors, pages, limits, headers. Read {@code ApiErrors} first. */
@NullMarked
package io.feedkit.examples.microblog.web;

import org.jspecify.annotations.NullMarked;
