/**
 * What was published and deleted in transactions of the host, of whose commit nobody tells the engine.
 */
@NullMarked
package io.feedkit.internal.transaction;

import org.jspecify.annotations.NullMarked;
