package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.queue.FanoutQueue.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings of share groups, which the brokers keep. */
final class ShareGroups {

    private static final Logger LOG = LoggerFactory.getLogger(ShareGroups.class);
    private static final String START_CONFIG = "share.auto.offset.reset";
    private static final String START = "earliest";
    private static final String DELIVERIES_CONFIG = "share.delivery.count.limit";
    /** The most that brokers allow by default. */
    private static final int DELIVERIES = 10;

    private ShareGroups() {}

    /**
     * Sets the groups to begin with the oldest messages.
     *
     * @throws FeedKitException if that is not allowed, or the brokers do not answer
     */
    static void prepare(Brokers brokers, QueueSettings settings) {
        List<String> groups =
                Arrays.stream(Lane.values()).map(settings::shareGroup).toList();
        List<String> notFromStart = new ArrayList<>();
        List<String> tooFewDeliveries = new ArrayList<>();
        brokers.configs(ConfigResource.Type.GROUP, groups).forEach((group, config) -> {
            String start = Topics.value(config, START_CONFIG);
            if (!start.equals(START)) {
                refuseUnlessCreated(settings, group, start);
                notFromStart.add(group);
            }
            if (hasTooFewDeliveries(config)) {
                tooFewDeliveries.add(group);
            }
        });
        set(brokers, notFromStart, START_CONFIG, START);
        if (settings.create()) {
            raiseDeliveries(brokers, tooFewDeliveries);
        }
    }

    private static void refuseUnlessCreated(QueueSettings settings, String group, String start) {
        if (!settings.create()) {
            throw Topics.unusable("the group " + group + " has " + START_CONFIG + "=" + start + ", but the queue needs "
                    + START + ": set it (kafka-configs.sh --alter --group " + group + " --add-config " + START_CONFIG
                    + "=" + START + "), or set create(true)");
        }
    }

    /** Whether the group's limit of deliveries is too low. The brokers drop a message that was returned too often. */
    private static boolean hasTooFewDeliveries(Config config) {
        String deliveries = Topics.value(config, DELIVERIES_CONFIG);
        return !deliveries.isEmpty() && Integer.parseInt(deliveries) < DELIVERIES;
    }

    /** Raises the limit of deliveries, which brokers may refuse. */
    private static void raiseDeliveries(Brokers brokers, List<String> groups) {
        try {
            set(brokers, groups, DELIVERIES_CONFIG, Integer.toString(DELIVERIES));
        } catch (FeedKitException e) {
            LOG.debug("cannot raise {} of {}; keeping the present limit", DELIVERIES_CONFIG, groups, e);
        }
    }

    private static void set(Brokers brokers, List<String> groups, String name, String value) {
        if (groups.isEmpty()) {
            return;
        }
        List<AlterConfigOp> set = List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET));
        Map<ConfigResource, List<AlterConfigOp>> all = groups.stream()
                .collect(Collectors.toMap(
                        group -> new ConfigResource(ConfigResource.Type.GROUP, group), group -> List.copyOf(set)));
        brokers.ask(
                "setting " + name + " of " + groups,
                admin -> admin.incrementalAlterConfigs(Map.copyOf(all)).all());
    }
}
