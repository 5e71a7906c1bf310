package io.feedkit.testkit.internal;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a value of any type: a given value, or one from the type's own constructors and factories. */
final class SensibleValues {

    private final Map<Class<?>, Supplier<?>> known = new HashMap<>();

    SensibleValues() {
        known.put(String.class, () -> "a");
        known.put(CharSequence.class, () -> "a");
        known.put(Object.class, () -> "a");
        known.put(Boolean.class, () -> true);
        known.put(Character.class, () -> 'a');
        known.put(Byte.class, () -> (byte) 1);
        known.put(Short.class, () -> (short) 1);
        known.put(Integer.class, () -> 1);
        known.put(Long.class, () -> 1L);
        known.put(Double.class, () -> 1.0);
        known.put(Float.class, () -> 1.0f);
        known.put(Iterable.class, List::of);
        known.put(Collection.class, List::of);
        known.put(List.class, List::of);
        known.put(Set.class, Set::of);
        known.put(Map.class, Map::of);
        known.put(Optional.class, Optional::empty);
        known.put(OptionalInt.class, OptionalInt::empty);
        known.put(OptionalLong.class, OptionalLong::empty);
        known.put(Duration.class, () -> Duration.ofMinutes(1));
        known.put(Instant.class, () -> Instant.parse("2026-05-01T12:00:00Z"));
        known.put(Clock.class, Clock::systemUTC);
        known.put(Throwable.class, IllegalStateException::new);
    }

    void put(Class<?> type, Supplier<?> value) {
        known.put(type, value);
    }

    /** Values for all parameters but one, which gets null. */
    @Nullable
    Object[] arguments(Executable executable, int nullAt) throws ReflectiveOperationException {
        @Nullable Object[] arguments = new Object[executable.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == nullAt ? null : of(executable.getParameterTypes()[i]);
        }
        return arguments;
    }

    Object of(Class<?> type) throws ReflectiveOperationException {
        Class<?> boxed = MethodType.methodType(type).wrap().returnType();
        if (known.containsKey(boxed)) {
            return known.get(boxed).get();
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        Optional<Executable> maker = Stream.<Executable>concat(
                        Modifier.isAbstract(type.getModifiers()) ? Stream.of() : Arrays.stream(type.getConstructors()),
                        Stream.concat(Stream.of(type), Stream.ofNullable(type.getEnclosingClass()))
                                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                                .filter(method -> isFactory(type, method)))
                .filter(each -> !Arrays.asList(each.getParameterTypes()).contains(type))
                .min((one, other) -> one.getParameterCount() - other.getParameterCount());
        if (type.isInterface() && maker.isEmpty()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::answer);
        }
        return maker.isPresent() ? make(maker.get()) : built(type);
    }

    /** A value made by a type's builder. */
    private Object built(Class<?> type) throws ReflectiveOperationException {
        for (Method method : type.getDeclaredMethods()) {
            if (isFactory(method.getReturnType(), method) && method.getName().equals("builder")) {
                Object builder = make(method);
                return builder.getClass().getMethod("build").invoke(builder);
            }
        }
        throw new AssertionError("no value of " + type + " is known");
    }

    private static boolean isFactory(Class<?> type, Method method) {
        return Modifier.isStatic(method.getModifiers())
                && Modifier.isPublic(method.getModifiers())
                && method.getReturnType() == type;
    }

    private Object make(Executable maker) throws ReflectiveOperationException {
        @Nullable Object[] arguments = arguments(maker, -1);
        try {
            return maker instanceof Method method
                    ? method.invoke(null, arguments)
                    : ((Constructor<?>) maker).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError("cannot make a value with " + maker, e.getCause());
        }
    }

    private @Nullable Object answer(Object proxy, Method method, Object[] arguments)
            throws ReflectiveOperationException {
        return switch (method.getName()) {
            case "toString" -> "a proxy";
            case "hashCode" -> 1;
            case "equals" -> proxy == arguments[0];
            default -> method.getReturnType() == void.class ? null : of(method.getReturnType());
        };
    }
}
