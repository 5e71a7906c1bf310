/**
 * Feeds in the database of an application. Read {@link io.feedkit.examples.articles.ArticlesCommand} first, then
 * {@link io.feedkit.examples.articles.Magazine}, which is the application.
 */
@NullMarked
package io.feedkit.examples.articles;

import org.jspecify.annotations.NullMarked;
