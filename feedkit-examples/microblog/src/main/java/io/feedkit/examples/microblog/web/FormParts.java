package io.feedkit.examples.microblog.web;

import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads forms with several parts, as {@link FormBodies} reads others. The servlet container has read the parts, so that
 * the body is empty. Files are left out.
 */
@ControllerAdvice
class FormParts extends RequestBodyAdviceAdapter {

    private final FormBodies bodies;

    FormParts(JsonMapper json) {
        bodies = new FormBodies(json);
    }

    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        return converter.equals(FormBodies.class);
    }

    @Override
    public @Nullable Object handleEmptyBody(
            @Nullable Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        return MediaType.MULTIPART_FORM_DATA.isCompatibleWith(
                                message.getHeaders().getContentType())
                        && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? bodies.read(parameter.getParameterType(), parts(attributes), message)
                : body;
    }

    private static MultiValueMap<String, String> parts(ServletRequestAttributes attributes) {
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        attributes.getRequest().getParameterMap().forEach((name, values) -> form.addAll(name, List.of(values)));
        return form;
    }
}
