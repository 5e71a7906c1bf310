# shellcheck shell=bash
# Flaws of the RabbitMQ integration that its tests without a broker notice; see check-flaws.sh.

backend rabbitmq integrations/feedkit-rabbitmq 'io/feedkit/rabbitmq/**/*Test'
java=integrations/feedkit-rabbitmq/src/main/java/io/feedkit/rabbitmq

if flaw host-shows-password RabbitMqSettingsTest; then
    # Credentials before the factory's host are shown in the message that the host is unknown.
    replace "$java/RabbitMqFanoutQueue.java" \
        'if (addresses.isEmpty()) {' \
        'if (addresses.size() < 0) {'
    caught
fi

if flaw address-shows-password RabbitMqSettingsTest; then
    # Credentials before the host of an address are not refused.
    replace "$java/RabbitMqFanoutQueue.java" \
        'addresses.forEach(address -> Addresses.requireNoCredentials("addresses", address.getHost(), CREDENTIALS));' \
        ''
    caught
fi
