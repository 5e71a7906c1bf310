package io.feedkit.spring.internal.web;

import io.feedkit.PageRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Page requests as arguments of handlers in Spring MVC. */
public final class ServletPageRequests implements HandlerMethodArgumentResolver {

    private final PageParameters parameters;

    public ServletPageRequests(PageParameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType().equals(PageRequest.class);
    }

    @Override
    public PageRequest resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        return parameters.read(request::getParameter);
    }
}
