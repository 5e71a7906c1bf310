package io.feedkit.redis.internal.check;

import io.feedkit.redis.FormatVersionException;
import io.feedkit.redis.internal.layout.Arguments;
import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.redis.internal.link.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The versions of the formats under a prefix: a hash in the first partition, with a field for each part, written by the first store that keeps that part there. */
final class Format {

    private static final Script<byte[]> FORMAT = Script.bytes("check/format");

    private Format() {}

    static void require(RedisLink link, String prefix, Set<Part> parts) {
        byte[] key = new Keys(prefix).ofPartition("format", 0);
        List<Part> ordered = parts.stream().sorted().toList();
        List<byte[]> arguments = new ArrayList<>(List.of(Arguments.text("0")));
        for (Part part : ordered) {
            arguments.add(Arguments.text(part.label()));
            arguments.add(Arguments.number(part.version()));
        }
        byte[] answer = link.run("redis.check", Effect.READ, FORMAT.on(List.of(key), arguments));
        String found = new String(answer, StandardCharsets.ISO_8859_1);
        String expected = ordered.stream()
                .map(part -> part.label() + " " + part.version())
                .collect(Collectors.joining(", "));
        if (!found.equals(expected)) {
            throw new FormatVersionException(new String(key, StandardCharsets.US_ASCII), found, expected);
        }
    }
}
