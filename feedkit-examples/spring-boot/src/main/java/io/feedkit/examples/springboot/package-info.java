/**
 * A magazine on Spring Boot. Its articles and follows are in tables of its own; FeedKit reads them there. Copy it, and
 * replace the parameters {@code author} and {@code reader} by the user of your session.
 */
package io.feedkit.examples.springboot;
