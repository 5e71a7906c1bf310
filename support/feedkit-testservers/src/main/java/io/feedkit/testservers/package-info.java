/**
 * Real servers, network faults and child JVMs for tests and benchmarks. Start with
 * {@link io.feedkit.testservers.TestServer}, then {@link io.feedkit.testservers.FaultyProxy} (what a network does to a
 * connection) and {@link io.feedkit.testservers.ChildProcess} (a JVM to kill).
 *
 * <p>The servers come out of Maven jars, for Linux on x86-64, and listen on the loopback address only. Tests of Redis
 * can ask for other programs, too, as far as the machine has them ({@link io.feedkit.testservers.RedisProgram}), and
 * for several servers ({@link io.feedkit.testservers.RedisSentinels}, {@link io.feedkit.testservers.RedisCluster}).
 * RabbitMQ has no jar: see {@link io.feedkit.testservers.RabbitMqProgram}.
 * What survival tests of several stores have in common is in {@code io.feedkit.testservers.survival}.
 */
@NullMarked
package io.feedkit.testservers;

import org.jspecify.annotations.NullMarked;
