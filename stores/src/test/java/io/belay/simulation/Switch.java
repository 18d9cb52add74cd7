package io.belay.simulation;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/**
 * A production method whose body is another one in a simulation. Both are named by method references, so that a method
 * that is renamed is renamed here, too, and one that is no more does not compile.
 */
public final class Switch {
    /** A reference to a method of any kind. */
    public interface Reference extends Serializable {}

    /** A method that takes one argument, its object included, and returns nothing; and so on. */
    public interface V1<A> extends Reference {
        void call(A a) throws Exception;
    }

    public interface V2<A, B> extends Reference {
        void call(A a, B b) throws Exception;
    }

    public interface V3<A, B, C> extends Reference {
        void call(A a, B b, C c) throws Exception;
    }

    public interface V4<A, B, C, D> extends Reference {
        void call(A a, B b, C c, D d) throws Exception;
    }

    public interface V5<A, B, C, D, E> extends Reference {
        void call(A a, B b, C c, D d, E e) throws Exception;
    }

    public interface F1<A, R> extends Reference {
        R call(A a) throws Exception;
    }

    public interface F2<A, B, R> extends Reference {
        R call(A a, B b) throws Exception;
    }

    public interface F3<A, B, C, R> extends Reference {
        R call(A a, B b, C c) throws Exception;
    }

    public interface F4<A, B, C, D, R> extends Reference {
        R call(A a, B b, C c, D d) throws Exception;
    }

    public interface F5<A, B, C, D, E, R> extends Reference {
        R call(A a, B b, C c, D d, E e) throws Exception;
    }

    private final SerializedLambda method;
    private final SerializedLambda body;
    private final boolean instead;
    private boolean found;

    private Switch(Reference method, Reference body, boolean instead) {
        this.method = read(method);
        this.body = read(body);
        this.instead = instead;
    }

    public static <A> Switch body(V1<A> of, V1<A> body) {
        return new Switch(of, body, true);
    }

    public static <A, B> Switch body(V2<A, B> of, V2<A, B> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C> Switch body(V3<A, B, C> of, V3<A, B, C> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C, D> Switch body(V4<A, B, C, D> of, V4<A, B, C, D> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C, D, E> Switch body(V5<A, B, C, D, E> of, V5<A, B, C, D, E> body) {
        return new Switch(of, body, true);
    }

    public static <A, R> Switch result(F1<A, R> of, F1<A, R> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, R> Switch result(F2<A, B, R> of, F2<A, B, R> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C, R> Switch result(F3<A, B, C, R> of, F3<A, B, C, R> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C, D, R> Switch result(F4<A, B, C, D, R> of, F4<A, B, C, D, R> body) {
        return new Switch(of, body, true);
    }

    public static <A, B, C, D, E, R> Switch result(F5<A, B, C, D, E, R> of, F5<A, B, C, D, E, R> body) {
        return new Switch(of, body, true);
    }

    /** The other body may call the method itself, which then runs as it is. */
    public Switch around() {
        Switch around = new Switch(method, body);
        return around;
    }

    private Switch(SerializedLambda method, SerializedLambda body) {
        this.method = method;
        this.body = body;
        this.instead = false;
    }

    private static SerializedLambda read(Reference reference) {
        try {
            Method write = reference.getClass().getDeclaredMethod("writeReplace");
            write.setAccessible(true);
            return (SerializedLambda) write.invoke(reference);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("not a method reference", e);
        }
    }

    /** The method by owner, name and descriptor. */
    String key() {
        return method.getImplClass() + "." + method.getImplMethodName() + method.getImplMethodSignature();
    }

    String bodyOwner() {
        return body.getImplClass();
    }

    String bodyName() {
        return body.getImplMethodName();
    }

    /** Its own: it may take more general arguments than the method. */
    String bodyDescriptor() {
        return body.getImplMethodSignature();
    }

    boolean isInstead() {
        return instead;
    }

    /** The method was come across. */
    void find() {
        found = true;
    }

    boolean isFound() {
        return found;
    }
}
