package io.feedkit.tools.replay;

import io.feedkit.fanout.FanoutPolicy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a policy: {@code push}, {@code pull}, {@code hybrid:N}, {@code active:N}, {@code online} or {@code online:N}. */
final class PolicyConverter implements ITypeConverter<FanoutPolicy> {

    @Override
    public FanoutPolicy convert(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String threshold = colon < 0 ? "" : text.substring(colon + 1);
        if (kind.equals("push") && colon < 0) {
            return FanoutPolicy.push();
        }
        if (kind.equals("pull") && colon < 0) {
            return FanoutPolicy.pull();
        }
        if (kind.equals("hybrid") && threshold.matches("[0-9]{1,18}")) {
            return FanoutPolicy.hybrid(followers(threshold));
        }
        if (kind.equals("active") && threshold.matches("[0-9]{1,18}")) {
            return FanoutPolicy.active(followers(threshold));
        }
        if (kind.equals("online") && colon < 0) {
            return FanoutPolicy.online(FanoutPolicy.push());
        }
        if (kind.equals("online") && threshold.matches("[0-9]{1,18}")) {
            return FanoutPolicy.online(FanoutPolicy.hybrid(followers(threshold)));
        }
        throw new TypeConversionException("must be push, pull, hybrid:N, active:N, online or online:N, but is " + text);
    }

    private static long followers(String threshold) {
        long followers = Long.parseLong(threshold);
        if (followers < 1) {
            throw new TypeConversionException("must have a threshold of at least 1 follower, but has " + threshold);
        }
        return followers;
    }
}
