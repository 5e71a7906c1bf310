package io.feedkit.redis;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The arguments of {@link OnTopologies}. */
final class Topologies implements ArgumentsProvider, AnnotationConsumer<OnTopologies> {

    private boolean wholeFeeds;

    @Override
    public void accept(OnTopologies annotation) {
        wholeFeeds = annotation.wholeFeeds();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return topologies(context.getTags().contains("matrix")).stream().map(Arguments::of);
    }

    private List<Topology> topologies(boolean matrix) {
        if (!matrix) {
            return List.of(Topology.everyBuild());
        }
        return wholeFeeds ? Topology.matrixOfFeeds() : Topology.matrix();
    }
}
