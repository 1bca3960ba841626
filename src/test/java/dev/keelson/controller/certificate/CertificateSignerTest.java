package dev.keelson.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.pem.PemCertificates;
import dev.keelson.testing.CertificateRequests;
import dev.keelson.testing.TestAuthority;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.Test;

final class CertificateSignerTest {

  private static final Instant NOW = TestAuthority.FROM.plus(Duration.ofHours(1));

  private final CertificateSigner signer = new CertificateSigner();
  private final KeyPair keys = CertificateRequests.keys();
  private final TestAuthority root = TestAuthority.root("root");
  private final SigningAuthority authority =
      new SigningAuthority(root.itself().key(), root.certificate());

  private CertificateRequest request(String... usages) throws SigningException {
    String text =
        CertificateRequests.request(
            keys,
            "O=dev,CN=ann",
            new GeneralName(GeneralName.iPAddress, "10.0.0.1"),
            new GeneralName(GeneralName.dNSName, "ann.example"));
    return CertificateRequest.of(SignerRulesTest.object(text, usages));
  }

  private X509Certificate sign(CertificateRequest request, Duration life, Instant time)
      throws Exception {
    return PemCertificates.decode(signer.sign(authority, request, life, time));
  }

  @Test
  void certificate_hasTheNamesAndTheKeyOfTheRequest() throws Exception {
    X509Certificate made =
        sign(request("signing", "client auth", "s/mime", "any"), Duration.ofHours(1), NOW);

    made.verify(root.certificate().getPublicKey());
    assertThat(made.getPublicKey()).isEqualTo(keys.getPublic());
    assertThat(made.getSubjectX500Principal().getName()).isEqualTo("CN=ann,O=dev");
    assertThat(made.getIssuerX500Principal())
        .isEqualTo(root.certificate().getSubjectX500Principal());
    assertThat(made.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .containsExactly("ann.example", "10.0.0.1");
    assertThat(made.getExtendedKeyUsage())
        .containsExactly("2.5.29.37.0", "1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.4");
    assertThat(made.getKeyUsage())
        .containsExactly(true, false, false, false, false, false, false, false, false);
    assertThat(made.getBasicConstraints()).isEqualTo(-1);
    assertThat(made.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
  }

  @Test
  void life_beginsEarlierAndEndsWithTheAuthority() throws Exception {
    Duration back = Duration.ofMinutes(5);
    X509Certificate brief = sign(request("client auth"), Duration.ofHours(1), NOW);
    X509Certificate day = sign(request("client auth"), Duration.ofHours(9), NOW);
    X509Certificate year = sign(request("client auth"), Duration.ofDays(365), NOW);

    assertThat(brief.getNotBefore().toInstant()).isEqualTo(NOW.minus(back));
    assertThat(brief.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    assertThat(day.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofHours(9)).minus(back));
    assertThat(year.getNotAfter().toInstant()).isEqualTo(TestAuthority.UNTIL);
  }

  @Test
  void expiredAuthority_doesNotSign() throws Exception {
    CertificateRequest request = request("client auth");

    assertThatThrownBy(() -> sign(request, Duration.ofHours(1), TestAuthority.UNTIL))
        .hasMessageStartingWith("refusing to sign a certificate that expired in the past");
    assertThatThrownBy(
            () -> sign(request, Duration.ofHours(1), TestAuthority.UNTIL.plus(Duration.ofDays(1))))
        .hasMessageStartingWith("the signer has expired: NotAfter=");
  }

  @Test
  void requestOfAnotherKey_isNotSigned() throws Exception {
    CertificateRequest forged =
        CertificateRequest.of(
            SignerRulesTest.object(
                CertificateRequests.request(keys, CertificateRequests.keys(), "CN=a", List.of())));

    assertThatThrownBy(() -> sign(forged, Duration.ofHours(1), NOW))
        .hasMessageStartingWith("unable to verify certificate request signature");
  }

  @Test
  void unknownUsages_areNamed() throws Exception {
    CertificateRequest request = request("client auth", "x", "y");

    assertThatThrownBy(() -> sign(request, Duration.ofHours(1), NOW))
        .hasMessage("unrecognized usage values: [\"x\" \"y\"]");
  }

  @Test
  void request_thatIsNone_isRefused() {
    assertThatThrownBy(() -> CertificateRequest.of(SignerRulesTest.object("aGVsbG8=")))
        .isInstanceOf(SigningException.class)
        .hasMessage("PEM block type must be CERTIFICATE REQUEST");
  }
}
