package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlPasswordsTest {
    @ParameterizedTest
    @CsvSource({
        "redis://:secret@db/0, redis://:***@db/0",
        "redis://user:sec@ret/x@db, redis://user:***@db",
        "jdbc:postgresql://db/shop?user=u&password=secret&ssl=true, jdbc:postgresql://db/shop?user=u&password=***&ssl=true",
        "jdbc:postgresql://db/shop?sslpassword=secret, jdbc:postgresql://db/shop?sslpassword=***",
        "jdbc:mysql://u:secret@db/shop, jdbc:mysql://u:***@db/shop",
        "'jdbc:postgresql://h/db?user=u&password=ab,secret', jdbc:postgresql://h/db?user=u&password=***",
        "'jdbc:postgresql://h/db?password=ab;secret,se&ssl=true', jdbc:postgresql://h/db?password=***&ssl=true",
        "jdbc:sqlserver://h;user=u;password=secret;encrypt=true, jdbc:sqlserver://h;user=u;password=***;encrypt=true",
        "'jdbc:sqlserver://h;password=ab,secret;encrypt=true', jdbc:sqlserver://h;password=***;encrypt=true",
        "'redis://a?password=secret,redis://b?token=secret#x=1', 'redis://a?password=***,redis://b?token=***'",
        "'etcd://a?password=secret;jdbc:mysql://b', etcd://a?password=***;jdbc:mysql://b",
        "'no store at jdbc:mysql://db/shop?password=secret, nor elsewhere', no store at jdbc:mysql://db/shop?password=***",
        "cannot reach jdbc:mysql://db/shop?password=secret: refused, cannot reach jdbc:mysql://db/shop?password=***",
        "jdbc:mysql://db/shop?password1=secret&passwordCharacterEncoding=x, jdbc:mysql://db/shop?password1=***&passwordCharacterEncoding=x",
        "jdbc:mysql://address=(host=db)(user=u)(password=secret)/shop, jdbc:mysql://address=(host=db)(user=u)(password=***)/shop",
        "'jdbc:mysql://(password=secret,host=db)/shop', 'jdbc:mysql://(password=***,host=db)/shop'",
        "'jdbc:mysql://(host=db,password=secret)/shop', 'jdbc:mysql://(host=db,password=***'",
        "mongodb://KEY:se%2Fcret@h/?authMechanismProperties=AWS_SESSION_TOKEN:secret&tls=true, mongodb://KEY:***@h/?authMechanismProperties=AWS_SESSION_TOKEN:***&tls=true",
        "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN%3Asecret, mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN%3A***",
        "file:/var/lib/locks, file:/var/lib/locks",
        "http://127.0.0.1:8080/skus/item, http://127.0.0.1:8080/skus/item",
        "rediss://cache:6380?ca=/run/shop@1.service/ca.pem, rediss://cache:6380?ca=/run/shop@1.service/ca.pem",
        "rediss://u:sec@ret@cache:1?ca=/run/shop@1/ca.pem, rediss://u:***@cache:1?ca=/run/shop@1/ca.pem",
        "jdbc:sqlite:/tmp/a@b:c.db, jdbc:sqlite:/tmp/a@b:c.db"
    })
    void passwordsAreMasked(String text, String masked) {
        assertThat(UrlPasswords.mask(text)).startsWith(masked).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://:secret@db/0, redis://:***@db/0",
        "rediss://shop:correct secret battery@cache, rediss://shop:***@cache",
        "etcd://ops/shop:secret@h, etcd://ops/shop:***@h",
        "redis://a?b#c:sec ret@secret@h, redis://a?b#c:***@h",
        "jdbc:postgresql://db/shop?user=u&password=correct secret&ssl=true, jdbc:postgresql://db/shop?user=u&password=***&ssl=true",
        "redis://cache:6380?user=u&password=sec@secret, redis://cache:6380?user=u&password=***",
        "redis://u:sec@secret@cache:6380?password=sec@secret, redis://u:***@cache:6380?password=***",
        "unix://:sec@secret@/run/redis.sock, unix://:***@/run/redis.sock",
        "'jdbc:postgresql://h/db?password=ab; secret, secret&ssl=true', jdbc:postgresql://h/db?password=***&ssl=true",
        "jdbc:mariadb://db/shop?credentialType=AWS-IAM&accessKeyId=A&secretKey=secret/x&user=app, jdbc:mariadb://db/shop?credentialType=AWS-IAM&accessKeyId=A&secretKey=***&user=app",
        "jdbc:mariadb://db/shop?secret_access_key=secret, jdbc:mariadb://db/shop?secret_access_key=***",
        "jdbc:h2:x;CIPHER=AES;PASSWORD=file secret;USER=u, jdbc:h2:x;CIPHER=AES;PASSWORD=***;USER=u",
        "jdbc:mysql://address=(host=db)(password=a secret)/shop, jdbc:mysql://address=(host=db)(password=***)/shop",
        "'redis://a?password=a secret,redis://b?token=secret#x=1', 'redis://a?password=***,redis://b?token=***'",
        "'quorum:redis://:a secret@a,redis://:secret@b#longest-lease=60s', quorum:redis://:***@b#longest-lease=60s",
        "redis://h:6379/2?timeout=1s, redis://h:6379/2?timeout=1s",
        "unix:/run/redis.sock?password=a secret, unix:/run/redis.sock?password=***",
        "rediss://cache:6380?ca=/run/shop@1.service/ca.pem, rediss://cache:6380?ca=/run/shop@1.service/ca.pem",
        "'etcds://a:2379,[::1]:2379?timeout=1s&cert=/run/shop@1/a.pem', 'etcds://a:2379,[::1]:2379?timeout=1s&cert=/run/shop@1/a.pem'",
        "rediss://shop:sec ret@secret@cache:6380/2?key=/run/shop@1/k.pem, rediss://shop:***@cache:6380/2?key=/run/shop@1/k.pem",
        "rediss://shop:secret?ca=/x@secret@cache, rediss://shop:***@cache",
        "'quorum:rediss://a:1?ca=/x@1/a,rediss://:secret@b?ca=/x@1/a#longest-lease=60s', 'quorum:rediss://a:1?ca=/x@1/a,rediss://:***@b?ca=/x@1/a#longest-lease=60s'",
        "jdbc:sqlite:/tmp/a@b:c.db, jdbc:sqlite:/tmp/a@b:c.db",
        "file:/var/lib/locks, file:/var/lib/locks"
    })
    void aPasswordMayHoldABlankInWhatIsAUrl(String url, String masked) {
        assertThat(UrlPasswords.maskUrl(url)).isEqualTo(masked);
    }
}
