package io.feedkit.examples.microblog.web;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Makes {@link PageBounds} of a request's parameters. */
final class PageBoundsResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == PageBounds.class;
    }

    @Override
    public PageBounds resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        long limit = number(request, "limit").orElse(PageBounds.DEFAULT_LIMIT);
        return new PageBounds(number(request, "max_id"), number(request, "since_id"), number(request, "min_id"), (int)
                Math.max(1, Math.min(limit, PageBounds.MAX_LIMIT)));
    }

    private static OptionalLong number(NativeWebRequest request, String name) {
        String text = request.getParameter(name);
        if (text == null || text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            // The answer is the same as to a negative number.
        }
        throw ApiException.badRequest("Parameter " + name + " must be a whole number");
    }
}
