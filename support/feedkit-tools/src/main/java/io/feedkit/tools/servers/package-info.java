/**
 * The tables, keys, queues and topics of a run on a server. Each run has its own, and deletes them at the end, so runs
 * at the same time do not interfere.
 */
@NullMarked
package io.feedkit.tools.servers;

import org.jspecify.annotations.NullMarked;
