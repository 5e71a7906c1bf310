package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The arguments of {@link OnDatabases}. */
final class Databases implements ArgumentsProvider, AnnotationConsumer<OnDatabases> {

    /** The databases of the default build. */
    static final List<Kind> EVERY_BUILD = List.of(Kind.H2, Kind.POSTGRESQL, Kind.MARIADB);

    /** The databases of the full build. */
    static final List<Kind> MATRIX = List.of(Kind.MYSQL);

    private Set<Kind> without = Set.of();
    private List<Kind> allCases = List.of();

    @Override
    public void accept(OnDatabases annotation) {
        without = Set.of(annotation.without());
        allCases = List.of(annotation.allCases());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        String named = System.getProperty("feedkit.test.databases", "");
        Stream<Kind> kinds = named.isEmpty()
                ? usual(context).filter(kind -> !without.contains(kind))
                : Stream.of(named.split(",", -1)).map(Kind::valueOf);
        return kinds.filter(kind -> kind.obstacle().isEmpty()).map(Arguments::of);
    }

    private Stream<Kind> usual(ExtensionContext context) {
        if (context.getTags().contains("matrix")) {
            return MATRIX.stream();
        }
        boolean areAllCases = System.getProperty("feedkit.test.groups", "").contains("exhaustive");
        return EVERY_BUILD.stream().filter(kind -> !areAllCases || allCases.contains(kind));
    }
}
