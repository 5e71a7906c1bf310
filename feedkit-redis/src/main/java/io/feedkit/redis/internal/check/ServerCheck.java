package io.feedkit.redis.internal.check;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.FormatVersionException;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.redis.internal.call.RedisLink;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check at the start. Is the server a Redis that FeedKit can use? Are the keys under the prefix FeedKit's? Do the
 * server's settings endanger the data?
 *
 * <p>If the server's user may not ask for settings, the store starts, and its warnings say so.
 */
public final class ServerCheck {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCheck.class);
    private static final int SLOTS = 16_384;

    private final RedisLink link;
    private final Warnings warnings = new Warnings();

    private ServerCheck(RedisLink link) {
        this.link = link;
    }

    /**
     * Checks the servers of a link, and logs the warnings in one line.
     *
     * @param parts the components that will be kept there; their versions are written under the prefix if it has none
     *     yet
     * @return the warnings: settings that should be changed or could not be checked, each with the reason and what to
     *     do
     * @throws StoreUnavailableException if there is no answer, or a server or a cluster is not ready
     * @throws UnusableServerException if it is not a Redis that FeedKit can use, or the user may not use it
     * @throws FormatVersionException if the keys under the prefix are in another format
     */
    public static List<String> run(RedisLink link, String prefix, Set<FormatComponent> parts) {
        ServerCheck check = new ServerCheck(link);
        if (link.isCluster()) {
            check.requireCluster();
        }
        check.checkServers(parts);
        FormatCheck.require(link, prefix, parts);
        List<String> found = check.warnings.list();
        if (!found.isEmpty()) {
            LOG.warn("{}: change the settings of the Redis servers: {}", prefix, String.join("; ", found));
        }
        return found;
    }

    /** Before all slots have a master, the masters are not known. */
    private void requireCluster() {
        Optional<Map<String, String>> answer = ServerInfo.cluster(link);
        if (answer.isEmpty()) {
            return;
        }
        String state = answer.get().getOrDefault("cluster_state", "unknown");
        String assigned = answer.get().getOrDefault("cluster_slots_assigned", "0");
        if (!state.equals("ok") || !assigned.equals(Integer.toString(SLOTS))) {
            throw notReady("the cluster is not ready: its state is " + state + ", and " + assigned + " of " + SLOTS
                    + " slots have a master: wait, or see CLUSTER NODES");
        }
    }

    private void checkServers(Set<FormatComponent> parts) {
        Optional<Map<String, Map<String, String>>> servers = ServerInfo.info(link);
        if (servers.isEmpty()) {
            warnings.add(
                    "INFO is refused, so version and settings were not checked: allow it, or check them yourself",
                    "every server");
            return;
        }
        servers.get().forEach(this::requireUsable);
        if (parts.contains(FormatComponent.SOURCE_OF_TRUTH)) {
            ConfigWarnings.ofSourceOfTruth(link, servers.get(), warnings);
        } else if (parts.contains(FormatComponent.COUNTERS)) {
            ConfigWarnings.ofCounters(link, servers.get(), warnings);
        } else if (parts.contains(FormatComponent.PENDING_CHANGES)) {
            ConfigWarnings.ofPendingChanges(servers.get(), warnings);
        } else {
            ConfigWarnings.ofInboxes(servers.get(), warnings);
        }
    }

    private void requireUsable(String address, Map<String, String> info) {
        Optional<RedisVersion> version =
                Optional.ofNullable(info.get("redis_version")).flatMap(RedisVersion::parse);
        if (version.isEmpty()) {
            throw unusable(Reason.NOT_REDIS, address + " does not answer as Redis: check host and port");
        }
        if (version.get().compareTo(RedisVersion.OLDEST) < 0) {
            throw unusable(
                    Reason.TOO_OLD,
                    address + " is Redis " + info.get("redis_version") + ", but FeedKit needs " + RedisVersion.OLDEST
                            + " or later: update it");
        }
        String mode = info.getOrDefault("redis_mode", "standalone");
        if (mode.equals("sentinel")) {
            throw unusable(Reason.OTHER_KIND, address + " is a sentinel: use redis-sentinel://host:port#name");
        }
        if (mode.equals("cluster") && !link.isCluster()) {
            throw unusable(Reason.OTHER_KIND, address + " is a member of a cluster: use redis-cluster://host:port");
        }
        if (info.getOrDefault("loading", "0").equals("1")) {
            throw notReady(address + " is still loading its data from the disk");
        }
        if (info.getOrDefault("role", "master").equals("slave")) {
            throw notReady(address + " is a replica, which refuses writes: use its master, or the sentinels of both");
        }
    }

    private static UnusableServerException unusable(Reason reason, String message) {
        return new UnusableServerException(reason, message, null);
    }

    private static StoreUnavailableException notReady(String message) {
        return new StoreUnavailableException("redis.check", new IllegalStateException(message));
    }
}
