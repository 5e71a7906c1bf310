package io.feedkit.testkit.internal;

import static java.util.stream.Collectors.joining;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The public API of a module as text, a line for each type and each member, so that changes of it can be compared. */
public final class PublicApi {

    /** Annotations that matter to callers. */
    private static final Set<String> SHOWN = Set.of("Beta", "Deprecated", "FunctionalInterface");

    private static final int NOT_SHOWN = Modifier.PUBLIC
            | Modifier.SYNCHRONIZED
            | Modifier.TRANSIENT
            | Modifier.VOLATILE
            | Modifier.NATIVE
            | Modifier.STRICT;

    private PublicApi() {}

    /** The API of a type's module: the public types in its package and below it that are not internal. */
    public static List<String> of(Class<?> anchor) {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : PublicTypes.of(anchor)) {
            lines.add(type(type));
            Stream.of(fields(type), constructors(type), methods(type))
                    .flatMap(members -> members.sorted())
                    .forEach(member -> lines.add("    " + member));
        }
        return lines;
    }

    private static String type(Class<?> type) {
        String extended = type.isRecord() || type.isEnum() || type.getSuperclass() == null
                ? ""
                : " extends " + type.getGenericSuperclass().getTypeName();
        String implemented = Arrays.stream(type.getGenericInterfaces())
                .map(Type::getTypeName)
                .collect(joining(", ", type.isInterface() ? " extends " : " implements ", ""));
        return annotations(type)
                + modifiers(type, type.isInterface() || type.isEnum() || type.isRecord())
                + kind(type)
                + " "
                + type.getName().replace('$', '.')
                + parameters(type)
                + shortened(extended.equals(" extends java.lang.Object") ? "" : extended)
                + (type.getInterfaces().length == 0 ? "" : shortened(implemented));
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String modifiers(Class<?> type, boolean implied) {
        int shown = type.getModifiers() & (Modifier.ABSTRACT | Modifier.FINAL);
        return implied || shown == 0 ? "" : Modifier.toString(shown) + " ";
    }

    private static String parameters(Class<?> type) {
        return type.getTypeParameters().length == 0
                ? ""
                : Arrays.stream(type.getTypeParameters()).map(Type::getTypeName).collect(joining(", ", "<", ">"));
    }

    private static Stream<String> fields(Class<?> type) {
        return visible(type.getDeclaredFields()).map(field -> line(field, field.toGenericString(), type, field));
    }

    private static Stream<String> constructors(Class<?> type) {
        return visible(type.getDeclaredConstructors())
                .map(constructor -> line(constructor, constructor.toGenericString(), type, constructor));
    }

    private static Stream<String> methods(Class<?> type) {
        return visible(type.getDeclaredMethods())
                .filter(method -> !Set.of("equals", "hashCode", "toString").contains(method.getName()))
                .filter(method -> !(type.isEnum() && Set.of("values", "valueOf").contains(method.getName())))
                .map(method -> line(method, method.toGenericString(), type, method));
    }

    private static <M extends Member> Stream<M> visible(M[] members) {
        return Arrays.stream(members)
                .filter(member -> !member.isSynthetic())
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0);
    }

    private static String line(Member member, String generic, Class<?> type, AnnotatedElement annotated) {
        String declaring = member instanceof Constructor ? "" : shortened(type.getName()) + ".";
        String signature = shortened(generic).replace(" " + declaring, " ");
        String modifiers = Modifier.toString(member.getModifiers() & modifiersOf(member));
        String shown = Modifier.toString(member.getModifiers() & modifiersOf(member) & ~NOT_SHOWN);
        String rest = signature.startsWith(modifiers)
                ? signature.substring(modifiers.length()).strip()
                : signature;
        boolean implied = type.isInterface() && !Modifier.isStatic(member.getModifiers());
        return annotations(annotated) + (implied || shown.isEmpty() ? "" : shown + " ") + rest;
    }

    private static int modifiersOf(Member member) {
        return member instanceof Method
                ? Modifier.methodModifiers()
                : member instanceof Field ? Modifier.fieldModifiers() : Modifier.constructorModifiers();
    }

    private static String annotations(AnnotatedElement element) {
        return Arrays.stream(element.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .map(Class::getSimpleName)
                .filter(SHOWN::contains)
                .sorted()
                .map(name -> "@" + name + " ")
                .collect(joining());
    }

    /** Names without their packages. */
    private static String shortened(String names) {
        return names.replaceAll("\\b(?:[a-z][a-z0-9_]*\\.)+(?=[A-Z])", "").replace('$', '.');
    }
}
