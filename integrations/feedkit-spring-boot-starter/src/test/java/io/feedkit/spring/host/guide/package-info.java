/** The application of the guide on Spring Boot. */
package io.feedkit.spring.host.guide;
