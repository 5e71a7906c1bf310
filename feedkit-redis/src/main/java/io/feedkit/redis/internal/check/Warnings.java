package io.feedkit.redis.internal.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Warnings, each with the affected servers. Not thread-safe. */
final class Warnings {

    private final Map<String, TreeSet<String>> found = new LinkedHashMap<>();

    void add(String warning, String address) {
        found.computeIfAbsent(warning, missing -> new TreeSet<>()).add(address);
    }

    List<String> list() {
        return found.entrySet().stream()
                .map(each -> each.getKey() + " (" + String.join(", ", each.getValue()) + ")")
                .toList();
    }
}
