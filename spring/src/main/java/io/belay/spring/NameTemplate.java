package io.belay.spring;

import io.belay.spi.KeyText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
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
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The template of a lock's name, parsed once. Thread-safe. */
final class NameTemplate {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** A parameter, or a property of one. */
    private static final Pattern GIVEN = Pattern.compile("#\\w+(\\.\\w+)*");

    private final String text;
    private final Expression template;

    /** @throws IllegalArgumentException if the template cannot be read */
    NameTemplate(String text) {
        this.text = text;
        try {
            template = PARSER.parseExpression(text, new TemplateParserContext());
        } catch (ParseException e) {
            throw new IllegalArgumentException("the name '" + text + "' is no template: " + e.getMessage(), e);
        }
    }

    /** Makes what the templates of a call can name: its parameters, the bean, and other beans. */
    static EvaluationContext context(BeanFactory beans, Object bean, Method method, MethodInvocation call) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(bean, method, call.getArguments(), NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
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
        if (said.isEmpty() && !(part instanceof LiteralExpression)) {
            throw refusal(part, "is empty");
        }
        return said;
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
