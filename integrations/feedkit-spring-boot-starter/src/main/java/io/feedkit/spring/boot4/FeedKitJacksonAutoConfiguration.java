package io.feedkit.spring.boot4;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.spring.internal.web.FeedPageBody;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Cursors and pages in the JSON of the application's own types: there, {@code older} and {@code newer} of a page are
 * cursors. Pages that handlers return have links instead.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration
@ConditionalOnClass(JacksonModule.class)
public class FeedKitJacksonAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitJacksonAutoConfiguration() {}

    @Bean
    JacksonModule feedKitJacksonModule() {
        return new SimpleModule("feedkit")
                .addSerializer(Cursor.class, new ToStringSerializer(Cursor.class))
                .addSerializer(FeedPage.class, new FeedPageSerializer())
                .addDeserializer(Cursor.class, new CursorDeserializer());
    }

    @SuppressWarnings("rawtypes")
    private static final class FeedPageSerializer extends StdSerializer<FeedPage> {

        FeedPageSerializer() {
            super(FeedPage.class);
        }

        @Override
        public void serialize(FeedPage page, JsonGenerator generator, SerializationContext context) {
            context.writeValue(generator, FeedPageBody.of((FeedPage<?>) page, (name, cursor) -> cursor));
        }
    }

    private static final class CursorDeserializer extends StdDeserializer<Cursor> {

        CursorDeserializer() {
            super(Cursor.class);
        }

        @Override
        public Cursor deserialize(JsonParser parser, DeserializationContext context) {
            return Cursor.parse(parser.getString());
        }
    }
}
