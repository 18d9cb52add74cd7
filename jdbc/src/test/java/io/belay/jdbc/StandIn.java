package io.belay.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A stand-in for what a driver makes. All of its methods have one answer, but for those of objects, and {@code close}. */
final class StandIn {
    private StandIn() {}

    interface Answer {
        /** @param text the call's first argument if that is a text, else an empty one */
        @Nullable
        Object to(String method, String text) throws SQLException;
    }

    static <T> T of(Class<T> type, Answer answer) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "toString" -> "stand-in of " + type.getSimpleName();
            case "close" -> null;
            default ->
                answer.to(method.getName(), arguments != null && arguments[0] instanceof String text ? text : "");
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
