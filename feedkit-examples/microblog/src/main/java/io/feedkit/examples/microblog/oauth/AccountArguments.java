package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.web.ApiException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Handlers that take an {@code Account} answer 401 without a token; with {@code Optional}, all may call them. */
@Component
class AccountArguments implements HandlerMethodArgumentResolver, WebMvcConfigurer {

    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.nestedIfOptional().getNestedParameterType() == Account.class;
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        Optional<TokenHolder> holder = CurrentAccount.holder();
        holder.ifPresent(token -> requireScope(token, request));
        Optional<Account> account = holder.flatMap(TokenHolder::account);
        return parameter.isOptional() ? account : account.orElseThrow(() -> refusal(holder.isPresent()));
    }

    private static void requireScope(TokenHolder token, NativeWebRequest request) {
        HttpServletRequest http = Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
        if (!Scopes.permit(token.scopes(), READING.contains(http.getMethod()), http.getServletPath())) {
            throw ApiException.of(HttpStatus.FORBIDDEN, "This action is outside the authorized scopes");
        }
    }

    private static ApiException refusal(boolean isApp) {
        return isApp
                ? ApiException.of(HttpStatus.UNPROCESSABLE_CONTENT, "This method requires an authenticated user")
                : ApiException.unauthorized();
    }
}
