package io.feedkit.redis;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The arguments of {@link OnTopologies}. */
final class Topologies implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        boolean matrix = context.getTags().contains("matrix");
        return (matrix ? Topology.matrix() : List.of(Topology.everyBuild()))
                .stream().map(Arguments::of);
    }
}
