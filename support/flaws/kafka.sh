# shellcheck shell=bash
# Flaws of the Kafka integration that its tests without a broker notice; see check-flaws.sh.

backend kafka integrations/feedkit-kafka 'io/feedkit/kafka/**/*Test'
java=integrations/feedkit-kafka/src/main/java/io/feedkit/kafka

if flaw policy-failure-stops-partition PostChangesTest; then
    # A policy that throws for one author counts as an outage, and the records of all authors wait.
    replace "$java/internal/PostChanges.java" \
        '} catch (IllegalArgumentException | CallbackException e) {' \
        '} catch (IllegalArgumentException e) {'
    caught
fi

if flaw dead-letters-are-read-again PostChangesTest; then
    # The topic of dead letters may be the topic that is read.
    replace "$java/KafkaPostIntake.java" \
        '.equals(topic)) {' \
        '.isEmpty()) {'
    caught
fi

if flaw broker-address-shows-password ClientSettingsTest; then
    # Credentials before a broker are not refused.
    replace "$java/internal/ClientSettings.java" \
        'if (Addresses.haveCredentials(brokers)) {' \
        'if (brokers.isEmpty()) {'
    caught
fi
