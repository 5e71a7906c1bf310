package io.feedkit.redis.internal.check;

import io.feedkit.redis.internal.call.RedisLink;
import java.util.Map;
import java.util.Optional;

/** What in the settings of servers endangers what is kept there. */
final class ConfigWarnings {

    private ConfigWarnings() {}

    /** Of inboxes nothing is dangerous to lose. But they are what should give way when the memory is full. */
    static void ofInboxes(Map<String, Map<String, String>> servers, Warnings warnings) {
        servers.forEach((address, info) -> {
            if (!info.getOrDefault("maxmemory", "0").equals("0") && policy(info).equals("noeviction")) {
                warnings.add(
                        "maxmemory-policy is noeviction: when the memory is full, deliveries and rebuilds fail, though any inbox could be evicted: set allkeys-lru",
                        address);
            }
        });
    }

    /** What has a time to live can be made again, so the volatile policies leave the truth alone. */
    static void ofTruth(RedisLink link, Map<String, Map<String, String>> servers, Warnings warnings) {
        servers.forEach((address, info) -> ofEviction(address, info, "posts, follows and tasks", warnings));
        ofDisk(link, servers, "posts, follows and tasks", warnings);
    }

    /** What an idle user has goes with time, but not before. */
    static void ofCounters(RedisLink link, Map<String, Map<String, String>> servers, Warnings warnings) {
        servers.forEach((address, info) -> {
            String policy = policy(info);
            if (policy.isEmpty()) {
                warnings.add(
                        "INFO says nothing of maxmemory_policy, so it was not checked whether counters may be evicted: set noeviction",
                        address);
            } else if (!policy.equals("noeviction")) {
                warnings.add(
                        "maxmemory-policy is " + policy
                                + ": when the memory is full, counters are evicted, which are kept nowhere else: set noeviction",
                        address);
            }
        });
        ofDisk(link, servers, "counters", warnings);
    }

    /** What is written has a time to live, and may go; what is not has none. */
    static void ofLate(Map<String, Map<String, String>> servers, Warnings warnings) {
        servers.forEach((address, info) -> ofEviction(address, info, "changes that are not written yet", warnings));
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
                            "INFO says nothing of aof_enabled, so it was not checked whether " + what
                                    + " get to the disk: see to it",
                            address);
            }
        });
    }

    private static void ofEviction(String address, Map<String, String> info, String what, Warnings warnings) {
        String policy = policy(info);
        if (policy.isEmpty()) {
            warnings.add(
                    "INFO says nothing of maxmemory_policy, so it was not checked whether " + what
                            + " may be evicted: set noeviction",
                    address);
        } else if (policy.startsWith("allkeys")) {
            warnings.add(
                    "maxmemory-policy is " + policy + ": when the memory is full, " + what
                            + " are evicted, which are kept nowhere else: set noeviction",
                    address);
        }
    }

    private static void ofAppendOnlyFile(String address, Optional<String> sync, Warnings warnings) {
        if (sync.isEmpty()) {
            warnings.add(
                    "CONFIG GET is refused, so it was not checked when writes get to the disk: allow it, or see to appendfsync",
                    address);
        } else if (sync.get().equals("no")) {
            warnings.add(
                    "appendfsync is no: a crash of the machine loses what was written in the last half minute or so: set everysec or always",
                    address);
        }
    }

    private static void ofSnapshots(String address, Optional<String> save, String what, Warnings warnings) {
        warnings.add(
                save.equals(Optional.of(""))
                        ? "nothing is written to the disk: a restart loses all " + what + ": set appendonly yes"
                        : "appendonly is no: a crash loses at least what was written since the last snapshot: set appendonly yes",
                address);
    }

    private static String policy(Map<String, String> info) {
        return info.getOrDefault("maxmemory_policy", "");
    }
}
