package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.KeyForm;
import dev.keelson.testing.TestIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PemKeyPairsTest {

  private static final TestAuthority AUTHORITY = TestAuthority.root("some");
  private static final TestIdentity ONE = AUTHORITY.server("CN=one");
  private static final TestIdentity TWO = AUTHORITY.server("CN=two");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(KeyForm.class)
  void pair_thatFits_hasNoProblem(KeyForm form) throws Exception {
    TestCertificates.Pair pair = TestCertificates.in(directory).issue("some", form);
    String certificate = Files.readString(pair.certificate());
    String key = Files.readString(pair.key());

    assertThat(PemKeyPairs.problem(certificate, key)).isEmpty();
    assertThat(PemKeyPairs.problem(certificate + AUTHORITY.pem(), key)).isEmpty();
    // the first certificate is the one of the key
    assertThat(PemKeyPairs.problem(AUTHORITY.pem() + certificate, key)).startsWith("tls: private");
  }

  @Test
  void edwardsPair_thatFits_hasNoProblem() {
    TestIdentity edwards = AUTHORITY.edwardsIdentity("CN=some");

    assertThat(PemKeyPairs.problem(edwards.certificatePem(), edwards.keyPem())).isEmpty();
    assertThat(PemKeyPairs.problem(edwards.certificatePem(), ONE.keyPem()))
        .isEqualTo("tls: private key type does not match public key type");
  }

  @Test
  void keyOfAnother_doesNotMatch() {
    assertThat(PemKeyPairs.problem(ONE.certificatePem(), TWO.keyPem()))
        .isEqualTo("tls: private key does not match public key");
  }

  @Test
  void missingOrMalformedParts_areToldInGosWords() {
    String certificate = ONE.certificatePem();
    String key = ONE.keyPem();
    String other = new PemBlock("OTHER", new byte[9]).text();

    assertThat(PemKeyPairs.problem("", key))
        .isEqualTo("tls: failed to find any PEM data in certificate input");
    assertThat(PemKeyPairs.problem(key, certificate))
        .isEqualTo(
            "tls: failed to find certificate PEM data in certificate input, but did find a private"
                + " key; PEM inputs may have been switched");
    assertThat(PemKeyPairs.problem(other + other, key))
        .isEqualTo(
            "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM"
                + " blocks of the following types: [OTHER OTHER]");
    assertThat(PemKeyPairs.problem(certificate, "x"))
        .isEqualTo("tls: failed to find any PEM data in key input");
    assertThat(PemKeyPairs.problem(certificate, certificate))
        .isEqualTo("tls: found a certificate rather than a key in the PEM for the private key");
    assertThat(PemKeyPairs.problem(certificate, other))
        .isEqualTo(
            "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after"
                + " skipping PEM blocks of the following types: [OTHER]");
    assertThat(PemKeyPairs.problem(new PemBlock(PemCertificates.TYPE, new byte[9]).text(), key))
        .isEqualTo("x509: malformed certificate");
    assertThat(PemKeyPairs.problem(certificate, new PemBlock("PRIVATE KEY", new byte[9]).text()))
        .isEqualTo("tls: failed to parse private key");
  }
}
