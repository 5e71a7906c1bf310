package io.feedkit.spring.boot3;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.spring.internal.web.FeedPageBody;
import java.io.IOException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Cursors and pages in the JSON of the application's own types: there, {@code older} and {@code newer} of a page are
 * cursors. Pages that handlers return have links instead.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration
@ConditionalOnClass(Module.class)
public class FeedKitJacksonAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitJacksonAutoConfiguration() {}

    @Bean
    Module feedKitJacksonModule() {
        return new SimpleModule("feedkit")
                .addSerializer(Cursor.class, new ToStringSerializer(Cursor.class))
                .addSerializer(FeedPage.class, new FeedPageSerializer())
                .addDeserializer(Cursor.class, new CursorDeserializer());
    }

    @SuppressWarnings("rawtypes")
    private static final class FeedPageSerializer extends StdSerializer<FeedPage> {

        private static final long serialVersionUID = 1L;

        FeedPageSerializer() {
            super(FeedPage.class);
        }

        @Override
        public void serialize(FeedPage page, JsonGenerator generator, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(FeedPageBody.of((FeedPage<?>) page, (name, cursor) -> cursor), generator);
        }
    }

    private static final class CursorDeserializer extends StdDeserializer<Cursor> {

        private static final long serialVersionUID = 1L;

        CursorDeserializer() {
            super(Cursor.class);
        }

        @Override
        public Cursor deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Cursor.parse(parser.getText());
        }
    }
}
