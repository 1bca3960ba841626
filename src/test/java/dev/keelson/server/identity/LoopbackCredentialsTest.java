package dev.keelson.server.identity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.pem.PemCertificates;
import dev.keelson.server.pki.Pki;
import dev.keelson.server.tls.Certificates;
import dev.keelson.webhook.ClientIdentity;
import dev.keelson.webhook.Credentials;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class LoopbackCredentialsTest {

  private static final ClientIdentity OTHER =
      new ClientIdentity(null, Map.of("Authorization", "Bearer other"), "");

  private Pki pki;
  private Credentials credentials;

  @BeforeEach
  void open(@TempDir Path directory) {
    pki = Pki.open(directory, Optional.empty(), Instant.parse("2026-01-01T00:00:00Z"));
    credentials = new LoopbackCredentials(new Certificates(pki.admin(), pki), _ -> OTHER);
  }

  @Test
  void server_callsItselfAsAdministrator_whateverTheKubeconfigSays()
      throws GeneralSecurityException {
    ClientIdentity own = credentials.of("kubernetes.default.svc:443");

    KeyStore shown = requireNonNull(own.certificate());
    assertThat(shown.getCertificate("client")).isEqualTo(pki.admin().certificate());
    assertThat(own.headers()).isEmpty();
    assertThat(own.authorities()).isEqualTo(PemCertificates.text(List.of(pki.authority())));
    assertThat(credentials.of("kubernetes.default.svc:443")).isSameAs(own);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.default.svc:8443",
        "kubernetes.other.svc:443",
        "other.default.svc:443",
        "kubernetes.default.svc.cluster.local:443"
      })
  void otherServers_seeTheirOwnUser(String target) {
    assertThat(credentials.of(target)).isSameAs(OTHER);
  }
}
