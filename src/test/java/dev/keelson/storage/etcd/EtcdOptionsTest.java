package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EtcdOptionsTest {

  private static final List<URI> PLAIN = List.of(URI.create("http://127.0.0.1:2379"));

  @ParameterizedTest
  @ValueSource(strings = {"localhost:2379", "ftp://host:2379", "http:/host", "host", ""})
  void endpoint_ofAnotherForm_isRefused(String endpoint) {
    assertThatThrownBy(() -> EtcdOptions.defaults(List.of(URI.create(endpoint))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://host:2379");
  }

  @Test
  void endpoints_thatAreNoneOrMixed_areRefused() {
    assertThatThrownBy(() -> EtcdOptions.defaults(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> EtcdOptions.defaults(List.of(URI.create("http://a"), URI.create("https://b"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void certificates_withoutHttps_areRefused() {
    EtcdTls tls = new EtcdTls(Path.of("ca.pem"), null, null);

    assertThatThrownBy(() -> EtcdOptions.defaults(PLAIN).withTls(tls))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not https");
  }

  @Test
  void clientCertificate_withoutItsKey_isRefused() {
    assertThatThrownBy(() -> new EtcdTls(null, Path.of("client.pem"), null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void limits_outOfRange_areRefused() {
    EtcdOptions options = EtcdOptions.defaults(PLAIN);

    assertThatThrownBy(() -> options.withDeadline(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.withFeedLimits(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void defaults_areThoseDocumented() {
    EtcdOptions options = EtcdOptions.defaults(PLAIN);

    assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.maxRequestBytes()).isEqualTo(1536 * 1024);
    assertThat(options.encrypted()).isFalse();
  }
}
