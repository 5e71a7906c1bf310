/** Tests of the starters, run on each supported version of Spring Boot: what an application sees. */
package io.feedkit.spring.host;
