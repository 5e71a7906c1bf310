package io.feedkit.kafka.internal;

import io.feedkit.internal.check.Addresses;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.types.Password;

/** Words that no message may show, because they may be a password or a part of one. */
record Secrets(Set<String> words) {

    private static final int SHORTEST_WORD = 3;
    private static final Set<String> PUBLIC = Set.of("required", "username", "password");

    /** The words of all settings that hold a secret, by their names. */
    static Secrets of(Map<String, Object> settings) {
        return new Secrets(settings.entrySet().stream()
                .filter(setting -> isSecret(setting.getKey()))
                .map(setting -> setting.getValue() instanceof Password password ? password.value() : setting.getValue())
                .flatMap(value -> Stream.of(value.toString().split("[\\s=;\"']+", -1)))
                .filter(word -> word.length() >= SHORTEST_WORD)
                .filter(word -> !word.contains("LoginModule") && !PUBLIC.contains(word))
                .collect(Collectors.toUnmodifiableSet()));
    }

    private static boolean isSecret(String setting) {
        return Stream.of("password", "jaas", "secret", "keystore.key", "passphrase", "token")
                .anyMatch(setting::contains);
    }

    /** The message, or a hint instead if it shows a secret. */
    String hide(Throwable failure) {
        String message = Addresses.clean(String.valueOf(failure.getMessage()));
        return shows(message, words)
                ? failure.getClass().getSimpleName() + " (message hidden, because it shows a password)"
                : message;
    }

    private static boolean shows(String message, Collection<String> words) {
        return words.stream().anyMatch(message::contains);
    }
}
