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

/** Settings of Tomcat beyond its properties. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {
    private static final String SOCKET_BUFFER_BYTES = "2048";

    /** Makes buffers small: orders and answers are, and ten thousand may wait; Tomcat's own would take a gigabyte. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
        return factory -> factory.addConnectorCustomizers(connector -> {
            connector.setProperty("socket.appReadBufSize", SOCKET_BUFFER_BYTES);
            connector.setProperty("socket.appWriteBufSize", SOCKET_BUFFER_BYTES);
        });
    }

    /** Keeps all of Tomcat's files in its base directory, if it has one: a node that is killed cannot remove others. */
    @Bean
    @ConditionalOnProperty("server.tomcat.basedir")
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> documentRoot(
            @Value("${server.tomcat.basedir}") Path directory) throws IOException {
        Path root = Files.createDirectories(directory.resolve("empty"));
        return factory -> factory.setDocumentRoot(root.toFile());
    }
}
