package io.feedkit.spring.internal.settings;

import io.feedkit.fanout.FanoutPolicy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.core.convert.converter.Converter;

/** Reads a policy as it is written in Java: {@code hybrid(100000)}, {@code online(push)}. */
@ConfigurationPropertiesBinding
public final class FanoutPolicyConverter implements Converter<String, FanoutPolicy> {

    private static final Pattern CALL = Pattern.compile("([a-z]+)(?:\\((.*)\\))?");
    private static final Pattern NUMBERS = Pattern.compile("([0-9_]+)(?:\\s*,\\s*([0-9_]+))?");

    @Override
    public FanoutPolicy convert(String source) {
        Matcher call = CALL.matcher(source.strip());
        if (!call.matches()) {
            throw unknown(source);
        }
        String arguments = call.group(2) == null ? "" : call.group(2).strip();
        return switch (call.group(1)) {
            case "push" -> plain(source, arguments, FanoutPolicy.push());
            case "pull" -> plain(source, arguments, FanoutPolicy.pull());
            case "online" -> FanoutPolicy.online(convert(arguments));
            case "hybrid" -> hybrid(source, arguments);
            case "active" -> FanoutPolicy.active(number(source, arguments));
            default -> throw unknown(source);
        };
    }

    private static FanoutPolicy plain(String source, String arguments, FanoutPolicy policy) {
        if (!arguments.isEmpty()) {
            throw unknown(source);
        }
        return policy;
    }

    private static FanoutPolicy hybrid(String source, String arguments) {
        Matcher numbers = NUMBERS.matcher(arguments);
        if (!numbers.matches()) {
            throw unknown(source);
        }
        long threshold = number(source, numbers.group(1));
        return numbers.group(2) == null
                ? FanoutPolicy.hybrid(threshold)
                : FanoutPolicy.hybrid(threshold, number(source, numbers.group(2)));
    }

    private static long number(String source, String digits) {
        try {
            return Long.parseLong(digits.replace("_", ""));
        } catch (NumberFormatException e) {
            throw unknown(source);
        }
    }

    private static IllegalArgumentException unknown(String source) {
        return new IllegalArgumentException(
                "a policy must be push, pull, hybrid(threshold), hybrid(threshold, lower), active(threshold) or"
                        + " online(policy), but is " + source);
    }
}
