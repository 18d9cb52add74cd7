package io.belay.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
        if (!(value instanceof Collection<?> several)) {
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
        String said = value.toString();
        if (said.isEmpty() && !(part instanceof LiteralExpression)) {
            throw refusal(part, "is empty");
        }
        return said;
    }

    private IllegalArgumentException refusal(Expression part, String why) {
        return new IllegalArgumentException(
                "the lock's name '" + text + "' cannot be made: '" + part.getExpressionString() + "' " + why);
    }
}
