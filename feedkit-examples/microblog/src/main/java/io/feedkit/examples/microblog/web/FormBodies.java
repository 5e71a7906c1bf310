package io.feedkit.examples.microblog.web;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.util.MultiValueMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Reads forms into the records that JSON is read into: some clients send the one, some the other. */
final class FormBodies extends AbstractHttpMessageConverter<Object> {

    private final FormHttpMessageConverter forms = new FormHttpMessageConverter();
    private final JsonMapper json;

    FormBodies(JsonMapper json) {
        super(MediaType.APPLICATION_FORM_URLENCODED, MediaType.MULTIPART_FORM_DATA);
        this.json = json.rebuild()
                .addModule(new SimpleModule().addDeserializer(Boolean.class, new FormBoolean()))
                .build();
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type.isRecord();
    }

    @Override
    public boolean canWrite(Class<?> type, @org.jspecify.annotations.Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage message) throws IOException {
        return read(type, forms.read(null, message), message);
    }

    Object read(Class<?> type, MultiValueMap<String, String> form, HttpInputMessage message) {
        Map<String, Object> values = new HashMap<>();
        form.forEach((name, all) -> values.put(name.replace("[]", ""), name.endsWith("[]") ? all : first(all)));
        try {
            return json.convertValue(values, type);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new HttpMessageNotReadableException("The form cannot be read", e, message);
        }
    }

    /** Forms say 1 or 0, too. */
    private static final class FormBoolean extends ValueDeserializer<Boolean> {

        private static final Set<String> TRUE = Set.of("true", "1", "on");

        @Override
        public Boolean deserialize(JsonParser parser, DeserializationContext context) {
            return TRUE.contains(parser.getString());
        }
    }

    private static String first(List<String> values) {
        String value = values.get(0);
        return value == null ? "" : value;
    }

    @Override
    protected void writeInternal(Object value, HttpOutputMessage message) {
        throw new HttpMessageNotWritableException("Forms are only read");
    }
}
