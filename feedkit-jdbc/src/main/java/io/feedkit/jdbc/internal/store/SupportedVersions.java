package io.feedkit.jdbc.internal.store;

import io.feedkit.jdbc.internal.sql.Dialect;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells databases that are too old for FeedKit's statements. */
final class SupportedVersions {

    private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+)*");

    /** What MariaDB says before its version to drivers that expect MySQL. */
    private static final String DISGUISE = "5.5.5-";

    /** The oldest version of a database that will do. */
    private record Oldest(String product, String version) {}

    private SupportedVersions() {}

    private static Oldest oldest(Dialect dialect) {
        return switch (dialect) {
            case H2 -> new Oldest("H2", "2.3.232");
            case POSTGRESQL -> new Oldest("PostgreSQL", "15");
            case MYSQL -> new Oldest("MySQL", "8.0.14");
            case MARIADB -> new Oldest("MariaDB", "10.11");
        };
    }

    /** Says what is needed instead of a version that is too old. One without numbers cannot be judged, and will do. */
    static Optional<String> tooOld(Dialect dialect, String version) {
        String own = version.startsWith(DISGUISE) ? version.substring(DISGUISE.length()) : version;
        Matcher numbers = NUMBERS.matcher(own);
        Oldest oldest = oldest(dialect);
        return numbers.find() && Version.parse(numbers.group()).compareTo(Version.parse(oldest.version())) < 0
                ? Optional.of(oldest.product() + " " + oldest.version() + " or later")
                : Optional.empty();
    }
}
