package io.feedkit.jdbc.internal.store;

import io.feedkit.jdbc.internal.sql.Dialect;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The oldest supported version of each database. */
final class SupportedVersions {

    private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+)*");

    /** MariaDB puts this prefix before its version, for drivers that expect MySQL. */
    private static final String MARIADB_PREFIX = "5.5.5-";

    /** The oldest supported version of a database. */
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

    /** Returns the oldest supported version if a version is older. A version without numbers is accepted. */
    static Optional<String> tooOld(Dialect dialect, String version) {
        String own = version.startsWith(MARIADB_PREFIX) ? version.substring(MARIADB_PREFIX.length()) : version;
        Matcher numbers = NUMBERS.matcher(own);
        Oldest oldest = oldest(dialect);
        return numbers.find() && Version.parse(numbers.group()).compareTo(Version.parse(oldest.version())) < 0
                ? Optional.of(oldest.product() + " " + oldest.version() + " or later")
                : Optional.empty();
    }
}
