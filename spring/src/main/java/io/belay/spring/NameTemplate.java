package io.belay.spring;

import io.belay.support.KeyText;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardTypeLocator;

/** The template of a lock's name, parsed once. Thread-safe. */
final class NameTemplate {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Properties PROPERTIES = new Properties();

    private static final String UNNAMED = "to have parameters by their names, compile with -parameters";

    /** A parameter, or a property of one. */
    private static final Pattern GIVEN = Pattern.compile("#\\w+(\\.\\w+)*");

    /** The beginning of what may be the name of a parameter. */
    private static final Pattern LIKE_A_PARAMETER = Pattern.compile("#\\p{javaJavaIdentifierStart}");

    private final String text;
    private final Expression template;
    /** The class of the bean, of whose properties names can be made, too. */
    private final Class<?> type;

    private final Set<String> parameters;
    /** True if the method has parameters whose names its class does not tell. */
    private final boolean nameless;

    private final Set<String> beans = new LinkedHashSet<>();

    /** @throws IllegalArgumentException if the template cannot be read, or names what is no parameter of the method */
    NameTemplate(String text, Method method, Class<?> type) {
        this.text = text;
        this.type = type;
        try {
            template = PARSER.parseExpression(text, new TemplateParserContext());
        } catch (ParseException e) {
            throw new IllegalArgumentException("the name '" + text + "' is no template: " + e.getMessage(), e);
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException("its name is empty");
        }
        nameless = NAMES.getParameterNames(method) == null && method.getParameterCount() > 0;
        parameters = parameters(method);
        parts().forEach(this::check);
    }

    private Stream<Expression> parts() {
        return template instanceof CompositeStringExpression all
                ? Stream.of(all.getExpressions())
                : Stream.of(template);
    }

    /** Returns how an expression can name the parameters. */
    private static Set<String> parameters(Method method) {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        Set<String> known = new TreeSet<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("#p" + i);
            known.add("#a" + i);
            if (names != null && i < names.length && names[i] != null) { // Kotlin's continuation has no name
                known.add("#" + names[i]);
            }
        }
        return known;
    }

    /** Returns what to write for a parameter that stands in braces without a {@code #}; empty if none does. */
    static String cure(String text, Method method) {
        return parameters(method).stream()
                .filter(parameter -> text.contains("{" + parameter.substring(1) + "}"))
                .findFirst()
                .map(NameTemplate::cure)
                .orElse("");
    }

    private static String cure(String parameter) {
        return ": write #{" + parameter + "} for the parameter";
    }

    private void check(Expression part) {
        if (part instanceof LiteralExpression) {
            String literal = part.getExpressionString();
            boolean alone = template instanceof LiteralExpression; // beside an expression braces are those of the name
            parameters.stream()
                    .filter(parameter -> (alone && literal.contains("{" + parameter.substring(1) + "}"))
                            || Pattern.compile(parameter + "\\b")
                                    .matcher(literal)
                                    .find())
                    .findFirst()
                    .ifPresent(parameter -> {
                        throw new IllegalArgumentException(
                                "the name '" + text + "' is the same for all calls" + cure(parameter));
                    });
            if (nameless && LIKE_A_PARAMETER.matcher(literal).find()) {
                throw new IllegalArgumentException("the name '" + text
                        + "' is the same for all calls: write #{#p0} for the first parameter (" + UNNAMED + ")");
            }
        } else if (part instanceof SpelExpression expression) {
            check(expression.getAST(), true);
        }
    }

    /** @param ofBean whether a name in it that stands alone is that of a property of the bean */
    private void check(SpelNode node, boolean ofBean) {
        String said = node.toStringAST();
        if (node instanceof BeanReference bean) {
            beans.add(bean.getName());
        } else if (node instanceof VariableReference
                && !said.equals("#this")
                && !said.equals("#root")
                && !parameters.contains(said)) {
            throw new IllegalArgumentException("the name '" + text + "' is made of " + said
                    + ", which is no parameter: there is "
                    + (parameters.isEmpty() ? "none" : String.join(", ", parameters))
                    + (nameless ? " (" + UNNAMED + ")" : ""));
        } else if (ofBean && node instanceof PropertyOrFieldReference property) {
            checkProperty(property.getName());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i), isOfBean(node, i, ofBean));
        }
    }

    /** Returns whether a name in that child may be the bean's: in brackets it may be a key, behind a dot a part of what is before. */
    private static boolean isOfBean(SpelNode node, int child, boolean ofBean) {
        if (node instanceof CompoundExpression && child > 0) {
            return child == 1 && node.getChild(0).toStringAST().equals("#root");
        }
        return ofBean
                && !(node instanceof Indexer
                        || node instanceof InlineMap
                        || node instanceof Projection
                        || node instanceof Selection);
    }

    private void checkProperty(String name) {
        if (!Proxy.isProxyClass(type) && !PROPERTIES.areThere(type, name)) { // behind a proxy there may be any class
            throw new IllegalArgumentException("the name '" + text + "' is made of " + name
                    + ", which is no property of the bean's class " + type.getSimpleName()
                    + (parameters.contains("#" + name)
                            ? cure("#" + name)
                            : " (a bean is @" + name + "); of the call there is "
                                    + (parameters.isEmpty() ? "nothing" : String.join(", ", parameters))));
        }
    }

    /** The properties that an expression can name of an object that it is given. */
    private static final class Properties extends ReflectivePropertyAccessor {
        boolean areThere(Class<?> type, String name) {
            return findGetterForProperty(name, type, false) != null || findField(name, type, false) != null;
        }
    }

    /** Returns the names of the beans that the names are made of. */
    Set<String> beans() {
        return Collections.unmodifiableSet(beans);
    }

    @Override
    public String toString() {
        return text;
    }

    /** Makes what the templates of a call can name: its parameters, the bean, and other beans. */
    static EvaluationContext context(ConfigurableBeanFactory beans, Object bean, Method method, MethodInvocation call) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(bean, method, call.getArguments(), NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        // The thread's own loader, which is asked otherwise, may know no class of the application.
        context.setTypeLocator(new StandardTypeLocator(beans.getBeanClassLoader()));
        return context;
    }

    /** Returns the names of a call; several if the template is one expression that gives a collection. */
    List<String> names(EvaluationContext context) {
        if (template instanceof CompositeStringExpression parts) {
            StringBuilder name = new StringBuilder();
            for (Expression part : parts.getExpressions()) {
                name.append(checked(value(part, context), part));
            }
            return List.of(name.toString());
        }
        Object value = value(template, context);
        Collection<?> several = elements(value);
        if (several == null) {
            return List.of(checked(value, template));
        }
        List<String> names = new ArrayList<>();
        for (Object one : several) {
            names.add(checked(one, template));
        }
        if (names.isEmpty()) {
            throw refusal(template, "gives no name");
        }
        return names;
    }

    private @Nullable Object value(Expression part, EvaluationContext context) {
        try {
            return part.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "the lock's name '" + text + "' cannot be made: '" + part.getExpressionString() + "' fails: "
                            + e.getMessage(),
                    e);
        }
    }

    private String checked(@Nullable Object value, Expression part) {
        if (value == null) {
            throw refusal(part, "is null");
        }
        String said = text(value, part);
        if (!(part instanceof LiteralExpression) && isEmpty(value)) {
            boolean all = said.isEmpty() || said.equals("[]");
            throw refusal(part, all ? "is empty" : "has an element that is empty");
        }
        return said;
    }

    private static boolean isEmpty(Object value) {
        Collection<?> elements = KeyText.elements(value);
        return elements == null
                ? value.toString().isEmpty()
                : elements.isEmpty() || elements.stream().anyMatch(NameTemplate::isEmpty);
    }

    /** Returns the text of a value. That of a parameter is the user's own; one that an expression has made may be of anything. */
    private String text(Object value, Expression part) {
        try {
            return value instanceof String made
                            && !GIVEN.matcher(part.getExpressionString()).matches()
                    ? KeyText.examined(made)
                    : KeyText.of(value);
        } catch (IllegalArgumentException e) {
            throw refusal(part, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Collection<?> elements(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        try {
            return KeyText.elements(value);
        } catch (IllegalArgumentException e) {
            throw refusal(template, String.valueOf(e.getMessage()));
        }
    }

    private IllegalArgumentException refusal(Expression part, String why) {
        return new IllegalArgumentException(
                "the lock's name '" + text + "' cannot be made: '" + part.getExpressionString() + "' " + why);
    }
}
