/**
 * Feeds beside an application's own table. Read {@link io.feedkit.examples.articles.ArticlesCommand} first, which
 * prints its steps; then {@link io.feedkit.examples.articles.Magazine}, which is such an application.
 */
@NullMarked
package io.feedkit.examples.articles;

import org.jspecify.annotations.NullMarked;
