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
    private List<Kind> also = List.of();

    @Override
    public void accept(OnDatabases annotation) {
        without = Set.of(annotation.without());
        also = List.of(annotation.also());
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return (context.getTags().contains("matrix")
                        ? Stream.concat(MATRIX.stream(), also.stream())
                        : EVERY_BUILD.stream())
                .filter(kind -> !without.contains(kind) && kind.obstacle().isEmpty())
                .map(Arguments::of);
    }
}
