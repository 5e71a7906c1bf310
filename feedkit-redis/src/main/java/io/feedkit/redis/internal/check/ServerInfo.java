package io.feedkit.redis.internal.check;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads information and settings of servers. The answer is empty if the user may not run the command, or if it was
 * removed.
 */
final class ServerInfo {

    private static final String OPERATION = "redis.check";

    /** The user's rights or the server's provider may forbid a command. Messages of providers vary. */
    private static final Pattern FORBIDDEN = Pattern.compile("^(NOPERM|ERR) ");

    private ServerInfo() {}

    /** The INFO of each server that takes writes, by address. */
    static Optional<Map<String, Map<String, String>>> info(RedisLink link) {
        return allowed(() -> link.runOnEach(OPERATION, text(CommandType.INFO))).map(answers -> {
            Map<String, Map<String, String>> read = new HashMap<>();
            answers.forEach((address, answer) -> read.put(address, lines(answer)));
            return read;
        });
    }

    /** The CLUSTER INFO of one member. */
    static Optional<Map<String, String>> cluster(RedisLink link) {
        return allowed(() -> link.run(OPERATION, Effect.READ, text(CommandType.CLUSTER, "INFO")))
                .map(ServerInfo::lines);
    }

    /** A setting of each server that takes writes, by address. Servers that do not answer are missing. */
    static Map<String, String> config(RedisLink link, String name) {
        Call<List<Object>> call = Call.general(CommandType.CONFIG, ArrayOutput::new, "GET", name);
        Map<String, String> read = new HashMap<>();
        allowed(() -> link.runOnEach(OPERATION, call))
                .ifPresent(answers -> answers.forEach((address, answer) -> {
                    if (answer.size() >= 2 && answer.get(1) instanceof byte[] value) {
                        read.put(address, new String(value, StandardCharsets.UTF_8));
                    }
                }));
        return read;
    }

    private static <T> Optional<T> allowed(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (StoreUnavailableException e) {
            if (e.getCause() instanceof RedisCommandExecutionException refused
                    && FORBIDDEN.matcher(String.valueOf(refused.getMessage())).find()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Call<String> text(CommandType type, String... words) {
        return Call.general(type, StatusOutput::new, words);
    }

    private static Map<String, String> lines(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().filter(line -> line.contains(":")).forEach(line -> {
            int colon = line.indexOf(':');
            values.put(line.substring(0, colon), line.substring(colon + 1).strip());
        });
        return values;
    }
}
