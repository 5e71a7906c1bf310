package io.feedkit.testkit.internal;

import static java.util.stream.Collectors.toCollection;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls every public constructor and method of a module's public types with null for one argument at a time. Each call
 * must throw an {@link IllegalArgumentException} whose message begins with the parameter's name.
 *
 * <p>These are left out:
 *
 * <ul>
 *   <li>Parameters that are {@link Nullable}.
 *   <li>{@code equals}, {@code compareTo}, and {@code valueOf} of enums, whose answers the JDK defines.
 *   <li>Methods of interfaces, and their implementations, unless the test names the interface with
 *       {@link #withMethodsOf}: what hosts and backends implement is called by the engine, which has checked the
 *       arguments.
 *   <li>What the test leaves out by a rule of its own.
 * </ul>
 */
public final class NullArguments {

    private final Class<?> anchor;
    private final SensibleValues values = new SensibleValues();
    private final Set<Class<?>> callable = new HashSet<>();
    private final List<Predicate<Executable>> exceptions = new ArrayList<>();
    private final Set<String> checked = new TreeSet<>();

    private NullArguments(Class<?> anchor) {
        this.anchor = anchor;
    }

    /** Checks the module of a type: the public types in its package and below it that are not internal. */
    public static NullArguments ofModuleOf(Class<?> anchor) {
        return new NullArguments(anchor);
    }

    /** Uses a value of a type, as an argument and as the object whose methods are called. */
    public <T> NullArguments with(Class<T> type, Supplier<? extends T> value) {
        values.put(type, value);
        return this;
    }

    /** Like {@link #with}, for an interface that hosts call and do not implement. */
    public <T> NullArguments withMethodsOf(Class<T> type, Supplier<? extends T> value) {
        callable.add(type);
        return with(type, value);
    }

    /** Leaves out the methods and constructors that match. */
    public NullArguments except(Predicate<Executable> rule) {
        exceptions.add(rule);
        return this;
    }

    /** How many arguments {@link #violations} has checked. */
    public int checked() {
        return checked.size();
    }

    /** Checks everything, and returns the arguments for which null has another result. */
    public Set<String> violations() {
        Set<String> violations = new TreeSet<>();
        PublicTypes.of(anchor)
                .forEach(type -> executables(type)
                        .filter(executable -> exceptions.stream().noneMatch(rule -> rule.test(executable)))
                        .forEach(executable -> check(type, executable, violations)));
        return violations;
    }

    private Stream<Executable> executables(Class<?> type) {
        Stream<Constructor<?>> constructors =
                Modifier.isAbstract(type.getModifiers()) ? Stream.of() : Arrays.stream(type.getConstructors());
        Stream<Method> methods = Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .filter(each -> each == type || !Modifier.isPublic(each.getModifiers()))
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !isJdks(method))
                .filter(method -> Modifier.isStatic(method.getModifiers()) || !isImplementation(type, method));
        return Stream.<Executable>concat(constructors, methods).sorted(Comparator.comparing(Executable::toString));
    }

    private static boolean isJdks(Method method) {
        return method.getName().equals("equals")
                || method.getName().equals("compareTo")
                || (method.getDeclaringClass().isEnum() && method.getName().equals("valueOf"));
    }

    private boolean isImplementation(Class<?> type, Method method) {
        return interfaces(type).stream()
                .filter(each -> !callable.contains(each))
                .flatMap(each -> Arrays.stream(each.getMethods()))
                .anyMatch(each -> each.getName().equals(method.getName())
                        && each.getParameterCount() == method.getParameterCount());
    }

    private static Set<Class<?>> interfaces(@Nullable Class<?> type) {
        if (type == null) {
            return Set.of();
        }
        Set<Class<?>> all = Arrays.stream(type.getInterfaces())
                .flatMap(each -> interfaces(each).stream())
                .collect(toCollection(HashSet::new));
        all.addAll(interfaces(type.getSuperclass()));
        if (type.isInterface()) {
            all.add(type);
        }
        return all;
    }

    private void check(Class<?> type, Executable executable, Set<String> violations) {
        Parameter[] parameters = executable.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].getType().isPrimitive() && !isNullable(executable, i)) {
                String place = place(type, executable) + ", " + parameters[i].getName();
                checked.add(place);
                String answer = answer(type, executable, i);
                if (!answer.startsWith(IllegalArgumentException.class.getSimpleName() + ": " + parameters[i].getName()
                        + " must not be null")) {
                    violations.add(place + ": " + answer);
                }
            }
        }
    }

    private static boolean isNullable(Executable executable, int parameter) {
        return executable.getAnnotatedParameterTypes()[parameter].isAnnotationPresent(Nullable.class);
    }

    private static String place(Class<?> type, Executable executable) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        String parameters = Arrays.stream(executable.getParameterTypes())
                .map(Class::getSimpleName)
                .toList()
                .toString();
        return name
                + (executable instanceof Method ? "." + executable.getName() : "")
                + parameters.replace('[', '(').replace(']', ')');
    }

    private String answer(Class<?> type, Executable executable, int nullAt) {
        if (!executable.getParameters()[nullAt].isNamePresent()) {
            return "the name of the parameter is unknown: compile with -parameters";
        }
        try {
            return "gives " + call(type, executable, values.arguments(executable, nullAt));
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getTargetException();
            return thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(place(type, executable), e);
        }
    }

    private @Nullable Object call(Class<?> type, Executable executable, @Nullable Object[] arguments)
            throws ReflectiveOperationException {
        if (executable instanceof Constructor<?> constructor) {
            return constructor.newInstance(arguments);
        }
        Method method = (Method) executable;
        method.setAccessible(true); // It may be inherited from a class that is not public.
        return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : values.of(type), arguments);
    }
}
