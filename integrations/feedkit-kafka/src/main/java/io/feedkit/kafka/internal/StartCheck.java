package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * The check at the start. Do the brokers answer? How do they share messages among subscriptions? Are the topics and
 * groups as the queue needs them?
 */
final class StartCheck {

    /** The level that brokers of Kafka 4.2 support. */
    private static final int METADATA_OF_4_2 = 28;

    /** How subscriptions receive. */
    enum Receiving {
        SHARE_GROUP,
        CONSUMER_GROUP,
        /** In a consumer group, with the protocol that all brokers support. */
        CLASSIC_CONSUMER_GROUP
    }

    /**
     * The partitions of a new lane for consumer groups, where a partition belongs to one member. For share groups one
     * is enough: their members share a partition if there are more members than partitions. With more partitions, a
     * busy member delays those that it does not share.
     */
    private static final int MANY_PARTITIONS = 12;

    private StartCheck() {}

    /**
     * Asks the brokers, and creates what is missing.
     *
     * @return how subscriptions receive
     * @throws FeedKitException if the brokers do not answer, or cannot be used
     */
    static Receiving run(Brokers brokers, QueueSettings settings, Topics topics) {
        brokers.ask("a list of the brokers", admin -> admin.describeCluster().nodes());
        Receiving receiving = receiving(settings.mode(), features(brokers));
        prepare(brokers, settings, topics, receiving);
        return receiving;
    }

    /** Creates and checks topics and groups. */
    static void prepare(Brokers brokers, QueueSettings settings, Topics topics, Receiving receiving) {
        topics.prepare(receiving == Receiving.SHARE_GROUP ? 1 : MANY_PARTITIONS);
        if (receiving == Receiving.SHARE_GROUP) {
            ShareGroups.prepare(brokers, settings);
        }
    }

    /** Brokers before 2.7 do not support this request. */
    private static Optional<FeatureMetadata> features(Brokers brokers) {
        try {
            return Optional.of(brokers.answer(admin -> admin.describeFeatures().featureMetadata(), brokers.timeout()));
        } catch (UnsupportedVersionException e) {
            return Optional.empty();
        } catch (KafkaException | TimeoutException e) {
            throw brokers.failure("a list of the features", e);
        }
    }

    private static Receiving receiving(Mode mode, Optional<FeatureMetadata> features) {
        Map<String, FinalizedVersionRange> levels =
                features.map(FeatureMetadata::finalizedFeatures).orElse(Map.of());
        int share = level(levels, "share.version");
        int software = features.map(found -> found.supportedFeatures().get("metadata.version"))
                .map(SupportedVersionRange::maxVersion)
                .orElse((short) 0);
        boolean shares = share >= 1 && software >= METADATA_OF_4_2;
        if (mode == Mode.SHARE_GROUP && !shares) {
            throw new UnusableBrokerException(
                    Reason.MISSING_FEATURE,
                    (software < METADATA_OF_4_2
                                    ? "mode is SHARE_GROUP, but the brokers are older than Kafka 4.2: update them"
                                    : "mode is SHARE_GROUP, but the brokers' feature share.version is " + share
                                            + ": switch it on (kafka-features.sh upgrade --feature share.version=1)")
                            + ", or use AUTO or CONSUMER_GROUP",
                    null);
        }
        if (shares && mode != Mode.CONSUMER_GROUP) {
            return Receiving.SHARE_GROUP;
        }
        boolean newProtocol = level(levels, "group.version") >= 1;
        return newProtocol ? Receiving.CONSUMER_GROUP : Receiving.CLASSIC_CONSUMER_GROUP;
    }

    private static int level(Map<String, FinalizedVersionRange> features, String name) {
        FinalizedVersionRange range = features.get(name);
        return range == null ? 0 : range.maxVersionLevel();
    }
}
