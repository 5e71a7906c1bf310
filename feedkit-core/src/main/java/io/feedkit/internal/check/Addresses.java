package io.feedkit.internal.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps credentials in addresses out of messages. No message of FeedKit, and no cause that it passes on, shows the
 * password of an address.
 */
public final class Addresses {

    /**
     * Matches the text before the last {@code @} of a word. After a scheme, that is all text between the scheme and the
     * {@code @}. Without a scheme, it is all text before the {@code @}, if that text has a colon. A password may
     * contain any character.
     */
    private static final Pattern CREDENTIALS =
            Pattern.compile("([a-zA-Z][\\w+.:-]*//)\\S*@|[^\\s\"'(\\[]*:[^\\s\"'(\\[]*@");

    /** Parameters of an address whose names say that the value is a secret. */
    private static final Pattern SECRETS =
            Pattern.compile("(?i)((?:password|passphrase|passwd|pwd|secret|token)\\w*=)[^&;\\s\"']+");

    private static final String HIDDEN = "***";

    private Addresses() {}

    /**
     * Returns the address if it has no credentials.
     *
     * @param name the name of the setting, for the message
     * @param address one address, or several
     * @param advice where credentials belong
     * @throws IllegalArgumentException if the address contains an {@code @}; the message does not show the address
     */
    public static String requireNoCredentials(String name, String address, String advice) {
        if (haveCredentials(Arguments.nonNull(name, address))) {
            throw new IllegalArgumentException(credentials(name, advice));
        }
        return address;
    }

    /** Whether the addresses contain an {@code @}, and so may have credentials. */
    public static boolean haveCredentials(String addresses) {
        return addresses.indexOf('@') >= 0;
    }

    /** The message of an exception that rejects credentials. */
    public static String credentials(String name, String advice) {
        return name + " must not have user:password@ before the host: " + advice;
    }

    /** The text with {@code ***} in place of credentials. */
    public static String clean(String text) {
        String shown = text.indexOf('=') < 0 ? text : SECRETS.matcher(text).replaceAll("$1" + HIDDEN);
        return haveCredentials(shown) ? CREDENTIALS.matcher(shown).replaceAll("$1" + HIDDEN + "@") : shown;
    }

    /**
     * Returns the failure itself if neither its text nor that of a cause shows credentials. Otherwise returns an
     * exception with the cleaned text and the failure's stack trace, without a cause.
     */
    public static Throwable clean(Throwable failure) {
        if (withCauses(failure).stream()
                .map(FailureReasons::text)
                .allMatch(text -> clean(text).equals(text))) {
            return failure;
        }
        Exception cleaned = new Exception(clean(FailureReasons.text(failure)));
        cleaned.setStackTrace(failure.getStackTrace());
        return cleaned;
    }

    private static List<Throwable> withCauses(Throwable failure) {
        List<Throwable> all = new ArrayList<>(List.of(failure));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(failure);
        for (int i = 0; i < all.size(); i++) {
            List<Throwable> next = new ArrayList<>(List.of(all.get(i).getSuppressed()));
            Throwable cause = all.get(i).getCause();
            if (cause != null) {
                next.add(cause);
            }
            next.stream().filter(seen::add).forEach(all::add);
        }
        return all;
    }
}
