/** The kits of the stores, with the versions of drivers and clients that Spring Boot manages. */
package io.feedkit.spring.host.versions;
