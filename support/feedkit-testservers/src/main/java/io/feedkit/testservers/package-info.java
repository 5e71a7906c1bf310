/**
 * Real servers, network faults and child JVMs for tests and benchmarks. Start with
 * {@link io.feedkit.testservers.TestServer}, then {@link io.feedkit.testservers.FaultyProxy} (network faults) and
 * {@link io.feedkit.testservers.ChildProcess} (a JVM to kill).
 *
 * <p>The servers come from Maven jars, for Linux on x86-64, and listen on the loopback address only. Tests of Redis can
 * use other programs, too, if the machine has them ({@link io.feedkit.testservers.RedisProgram}), and several servers
 * ({@link io.feedkit.testservers.RedisSentinels}, {@link io.feedkit.testservers.RedisCluster}). RabbitMQ has no jar:
 * see {@link io.feedkit.testservers.RabbitMqProgram}. The common code of survival tests is in
 * {@code io.feedkit.testservers.survival}.
 */
@NullMarked
package io.feedkit.testservers;

import org.jspecify.annotations.NullMarked;
