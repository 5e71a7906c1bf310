package io.feedkit.internal.publish;

import io.feedkit.fanout.FanoutPolicy;
import java.util.Map;

/**
 * The policies that an engine begins with.
 *
 * @param own the engine's own policy
 * @param named the policies that all engines of a store can be switched to, by their names
 */
public record Policies(FanoutPolicy own, Map<String, FanoutPolicy> named) {}
