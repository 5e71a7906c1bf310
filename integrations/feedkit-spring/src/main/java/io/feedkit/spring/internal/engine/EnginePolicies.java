package io.feedkit.spring.internal.engine;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The policies of an engine.
 *
 * @param policy the bean, or the property
 * @param named the policies that all engines can be switched to: those of the properties and, if there are several
 *     beans, the beans by their names
 */
public record EnginePolicies(Optional<FanoutPolicy> policy, Map<String, FanoutPolicy> named) {

    /**
     * Finds the policies.
     *
     * @throws InvalidSettingException if there are several beans, none is primary, and there is no property
     */
    public static EnginePolicies of(FeedKitProperties properties, ListableBeanFactory beans) {
        Map<String, FanoutPolicy> named = new TreeMap<>(properties.policies());
        Map<String, FanoutPolicy> found = beans.getBeansOfType(FanoutPolicy.class);
        if (found.size() > 1) {
            found.forEach(named::putIfAbsent);
        }
        return new EnginePolicies(own(properties, beans, found), named);
    }

    private static Optional<FanoutPolicy> own(
            FeedKitProperties properties, ListableBeanFactory beans, Map<String, FanoutPolicy> found) {
        FanoutPolicy unique = beans.getBeanProvider(FanoutPolicy.class).getIfUnique();
        Optional<FanoutPolicy> own = Optional.ofNullable(unique == null ? properties.policy() : unique);
        if (own.isEmpty() && found.size() > 1) {
            throw new InvalidSettingException(
                    "feedkit.policy",
                    null,
                    "there are several FanoutPolicy beans, " + found.keySet() + ", and none is primary.",
                    "Mark the policy of this engine with @Primary, or set feedkit.policy.",
                    null);
        }
        return own;
    }
}
