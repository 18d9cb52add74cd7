package io.belay.shop;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The way in which the server serves requests. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
    private static final int NEVER = -1;

    /**
     * Takes the server's time limit away: the wait for the lock is bounded, and a sale that has begun ends. A
     * limit of the server's own could only answer "not sold" to an order that is then sold.
     */
    @Override
    public void configureAsyncSupport(AsyncSupportConfigurer configurer) {
        configurer.setDefaultTimeout(NEVER);
    }
}
