package io.feedkit.redis.internal.check;

import io.feedkit.redis.internal.call.RedisLink;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Warns of settings of servers that endanger the stored data. */
final class ConfigWarnings {

    private ConfigWarnings() {}

    /** Inboxes may be evicted, and should be evicted when the memory is full. */
    static void ofInboxes(Map<String, Map<String, String>> servers, Warnings warnings) {
        servers.forEach((address, info) -> {
            if (!info.getOrDefault("maxmemory", "0").equals("0") && policy(info).equals("noeviction")) {
                warnings.add(
                        "maxmemory-policy is noeviction: when the memory is full, deliveries and rebuilds fail,"
                                + " although any inbox could be evicted: set allkeys-lru",
                        address);
            }
        });
    }

    /** Keys with an expiry can be rebuilt, so the volatile policies do not endanger the source of truth. */
    static void ofSourceOfTruth(RedisLink link, Map<String, Map<String, String>> servers, Warnings warnings) {
        ofEviction(servers, "posts, follows and tasks", policy -> policy.startsWith("allkeys"), warnings);
        ofDisk(link, servers, "posts, follows and tasks", warnings);
    }

    /** The data of idle users expire, but must not be evicted before that. */
    static void ofCounters(RedisLink link, Map<String, Map<String, String>> servers, Warnings warnings) {
        ofEviction(servers, "counters", policy -> !policy.equals("noeviction"), warnings);
        ofDisk(link, servers, "counters", warnings);
    }

    /** Written changes have an expiry, and may be evicted. Pending changes have none. */
    static void ofPendingChanges(Map<String, Map<String, String>> servers, Warnings warnings) {
        ofEviction(servers, "changes that are not written yet", policy -> policy.startsWith("allkeys"), warnings);
    }

    private static void ofEviction(
            Map<String, Map<String, String>> servers, String what, Predicate<String> evicts, Warnings warnings) {
        servers.forEach((address, info) -> {
            String policy = policy(info);
            if (policy.isEmpty()) {
                warnings.add(
                        "INFO does not show maxmemory_policy, so it is not known whether " + what
                                + " may be evicted: set noeviction",
                        address);
            } else if (evicts.test(policy)) {
                warnings.add(
                        "maxmemory-policy is " + policy + ": when the memory is full, " + what
                                + " are evicted, which are kept nowhere else: set noeviction",
                        address);
            }
        });
    }

    private static void ofDisk(
            RedisLink link, Map<String, Map<String, String>> servers, String what, Warnings warnings) {
        Map<String, String> saves = ServerInfo.config(link, "save");
        Map<String, String> syncs = ServerInfo.config(link, "appendfsync");
        servers.forEach((address, info) -> {
            switch (info.getOrDefault("aof_enabled", "")) {
                case "1" -> ofAppendOnlyFile(address, Optional.ofNullable(syncs.get(address)), warnings);
                case "0" -> ofSnapshots(address, Optional.ofNullable(saves.get(address)), what, warnings);
                default ->
                    warnings.add(
                            "INFO does not show aof_enabled, so it is not known whether " + what
                                    + " are written to the disk: check it yourself",
                            address);
            }
        });
    }

    private static void ofAppendOnlyFile(String address, Optional<String> sync, Warnings warnings) {
        if (sync.isEmpty()) {
            warnings.add(
                    "CONFIG GET is refused, so it is not known when writes reach the disk:"
                            + " allow it, or check appendfsync yourself",
                    address);
        } else if (sync.get().equals("no")) {
            warnings.add(
                    "appendfsync is no: a crash of the machine loses the writes of the last half minute or so:"
                            + " set everysec or always",
                    address);
        }
    }

    private static void ofSnapshots(String address, Optional<String> save, String what, Warnings warnings) {
        warnings.add(
                save.equals(Optional.of(""))
                        ? "nothing is written to the disk: a restart loses all " + what + ": set appendonly yes"
                        : "appendonly is no: a crash loses at least the writes since the last snapshot:"
                                + " set appendonly yes",
                address);
    }

    private static String policy(Map<String, String> info) {
        return info.getOrDefault("maxmemory_policy", "");
    }
}
