package io.feedkit.redis.internal.check;

import io.feedkit.redis.internal.link.RedisLink;
import java.util.Map;
import java.util.Optional;

/** What in the settings of servers endangers what is kept there. */
final class Dangers {

    private static final String EVERYWHERE = "every server";

    private Dangers() {}

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

    /** Keys of the truth have no time to live, so the volatile policies leave them alone. */
    static void ofTruth(RedisLink link, Map<String, Map<String, String>> servers, Warnings warnings) {
        Optional<Map<String, String>> saves = Settings.config(link, "save");
        Optional<Map<String, String>> syncs = Settings.config(link, "appendfsync");
        if (saves.isEmpty() || syncs.isEmpty()) {
            warnings.add("CONFIG GET is refused, so it was not checked when posts are on the disk: allow it", EVERYWHERE);
        }
        servers.forEach((address, info) -> {
            if (policy(info).startsWith("allkeys")) {
                warnings.add(
                        "maxmemory-policy is " + policy(info)
                                + ": when the memory is full, posts, follows and tasks are evicted, which are kept nowhere else: set noeviction",
                        address);
            }
            if (info.getOrDefault("aof_enabled", "0").equals("1")) {
                ofAppendOnlyFile(address, syncs.map(all -> all.get(address)), warnings);
            } else {
                ofSnapshots(address, saves.map(all -> all.get(address)), warnings);
            }
        });
    }

    private static void ofAppendOnlyFile(String address, Optional<String> sync, Warnings warnings) {
        if (sync.equals(Optional.of("no"))) {
            warnings.add(
                    "appendfsync is no: a crash of the machine loses what was published in the last half minute or so: set everysec or always",
                    address);
        }
    }

    private static void ofSnapshots(String address, Optional<String> save, Warnings warnings) {
        warnings.add(
                save.equals(Optional.of(""))
                        ? "nothing is written to the disk: a restart loses all posts, follows and tasks: set appendonly yes"
                        : "appendonly is no: a crash loses what was published since the last snapshot: set appendonly yes",
                address);
    }

    private static String policy(Map<String, String> info) {
        return info.getOrDefault("maxmemory_policy", "noeviction");
    }
}
