package io.belay.spring.boot;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.integration.gateway.MessagingGatewaySupport;

/**
 * Has the inbound gateways of Spring Integration, such as those of Redis' queues and of TCP, start and stop with its other endpoints
 * that bring messages. Theirs is else the phase 0, so that they would bring some before a client that was paused is there again, and
 * go on while it is paused.
 */
final class GatewayPhase implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof MessagingGatewaySupport gateway && gateway.getPhase() == 0) {
            gateway.setPhase(Integer.MAX_VALUE / 2);
        }
        return bean;
    }
}
