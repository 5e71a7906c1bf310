/** The kits of the store on Redis, with the versions of Lettuce, Netty and Reactor that Spring Boot manages. */
package io.feedkit.redis;
