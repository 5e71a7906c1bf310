/**
 * Tests of the queue in RabbitMQ: the kit on a broker of its own ({@code *CompatibilityTest}), and what only RabbitMQ
 * can get wrong.
 */
package io.feedkit.rabbitmq;
