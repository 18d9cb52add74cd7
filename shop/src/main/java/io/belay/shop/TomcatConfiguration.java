package io.belay.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keeps all of Tomcat's files in its base directory, if it has one: a node that is killed cannot remove others. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("server.tomcat.basedir")
class TomcatConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> documentRoot(
            @Value("${server.tomcat.basedir}") Path directory) throws IOException {
        Path root = Files.createDirectories(directory.resolve("empty"));
        return factory -> factory.setDocumentRoot(root.toFile());
    }
}
