package io.feedkit.redis.internal.check;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.FormatVersionException;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks the versions of the formats under a prefix. They are in a hash in the first partition, with a field for each
 * component. The first store that keeps a component there writes its field.
 */
final class FormatCheck {

    private static final Script<byte[]> FORMAT = Script.bytes("check/format");

    /**
     * The server's error if the user may not run a script, and (Redis 6.2, Redis 7) if a script may not run a command.
     */
    private static final Pattern FORBIDDEN = Pattern.compile("^NOPERM|can't run this command|ACL failure in script");

    private FormatCheck() {}

    static void require(RedisLink link, String prefix, Set<FormatComponent> parts) {
        byte[] key = new Keys(prefix).ofPartition("format", 0);
        List<FormatComponent> ordered = parts.stream().sorted().toList();
        List<byte[]> arguments = new ArrayList<>(List.of(Arguments.text("0")));
        for (FormatComponent part : ordered) {
            arguments.add(Arguments.text(part.label()));
            arguments.add(Arguments.number(part.version()));
        }
        String name = new String(key, StandardCharsets.US_ASCII);
        String found = answer(link, name, FORMAT.on(List.of(key), arguments));
        String expected = ordered.stream()
                .map(part -> part.label() + " " + part.version())
                .collect(Collectors.joining(", "));
        if (!found.equals(expected)) {
            throw new FormatVersionException(name, found.replaceAll("[^ -~]", "?"), expected);
        }
    }

    /** This is the first script, and uses the first key. A user who may not use them may run no script. */
    private static String answer(RedisLink link, String key, Call<byte[]> call) {
        try {
            return new String(link.run("redis.check", Effect.READ, call), StandardCharsets.ISO_8859_1);
        } catch (StoreUnavailableException e) {
            if (e.getCause() instanceof RedisCommandExecutionException refused
                    && FORBIDDEN.matcher(String.valueOf(refused.getMessage())).find()) {
                throw new UnusableServerException(
                        Reason.ACCESS_DENIED,
                        "the user may not use " + key + " (" + refused.getMessage()
                                + "): allow the commands of docs/reference/redis-format.md on all keys of the prefix",
                        e);
            }
            throw e;
        }
    }
}
