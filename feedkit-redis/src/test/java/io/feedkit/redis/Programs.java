package io.feedkit.redis;

import io.feedkit.testservers.RedisProgram;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The arguments of {@link OnPrograms}. */
final class Programs implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        boolean matrix = context.getTags().contains("matrix");
        return RedisProgram.all().stream()
                .filter(program -> matrix != program.equals(RedisProgram.embedded()))
                .map(Arguments::of);
    }
}
