package dev.keelson.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateNamesTest {

  private static final String SHA256 = "SHA256withECDSA";
  private final Instant later = Instant.now().plus(Duration.ofDays(1));

  /** Makes a certificate with alternative names: {@code dns:NAME} or {@code ip:ADDRESS}. */
  private static X509Certificate certificate(
      String subject, String signature, Instant until, String... names) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name("CN=authority"),
            BigInteger.ONE,
            Date.from(Instant.now().minus(Duration.ofDays(2))),
            Date.from(until),
            new X500Name(subject),
            pair.getPublic());
    if (names.length > 0) {
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              Arrays.stream(names)
                  .map(
                      name ->
                          name.startsWith("ip:")
                              ? new GeneralName(GeneralName.iPAddress, name.substring(3))
                              : new GeneralName(GeneralName.dNSName, name.substring(4)))
                  .toArray(GeneralName[]::new)));
    }
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder(signature).build(pair.getPrivate())));
  }

  private static void check(String host, X509Certificate... chain) throws CertificateException {
    CertificateNames.check(chain, host);
  }

  @ParameterizedTest
  @CsvSource({
    "hook.one.svc, dns:hook.one.svc",
    "HOOK.one.svc, dns:hook.ONE.svc",
    "hook.one.svc, dns:*.one.svc",
    "127.0.0.1, ip:127.0.0.1",
    "[::1], ip:::1",
    "::1, ip:0:0:0:0:0:0:0:1",
  })
  void accepted(String host, String name) throws Exception {
    check(host, certificate("CN=x", SHA256, later, "dns:other", name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hook.one.svc | dns:a dns:b | certificate is valid for a, b, not hook.one.svc",
        "a.b.one.svc | dns:*.one.svc | certificate is valid for *.one.svc, not a.b.one.svc",
        "one.svc | dns:*.one.svc | certificate is valid for *.one.svc, not one.svc",
        "hook.one.svc | ip:10.0.0.1 | certificate is not valid for any names, but wanted to match"
            + " hook.one.svc",
        "10.0.0.1 | ip:10.0.0.2 | certificate is valid for 10.0.0.2, not 10.0.0.1",
        "10.0.0.1 | dns:10.0.0.1 | cannot validate certificate for 10.0.0.1 because it doesn't"
            + " contain any IP SANs",
      })
  void refused(String host, String names, String message) throws Exception {
    X509Certificate certificate =
        certificate("CN=" + "hook.one.svc", SHA256, later, names.split(" ", -1));

    assertThatThrownBy(() -> check(host, certificate)).hasMessage(message);
  }

  @Test
  void commonNameAlone_isAFlaw_onlyIfItWouldMatch() throws Exception {
    X509Certificate same = certificate("O=x,CN=hook.one.svc", SHA256, later);
    X509Certificate other = certificate("CN=other", SHA256, later);

    assertThatThrownBy(() -> check("hook.one.svc", same))
        .hasMessage("certificate relies on legacy Common Name field, use SANs instead")
        .satisfies(e -> assertThat(CertificateFlaw.of(e)).isEqualTo(CertificateFlaw.MISSING_SAN));
    assertThatThrownBy(() -> check("hook.one.svc", other))
        .hasMessage("certificate is not valid for any names, but wanted to match hook.one.svc")
        .satisfies(e -> assertThat(CertificateFlaw.of(e)).isNull());
  }

  @Test
  void signatureOfSha1_isAFlaw_anywhereInTheChain() throws Exception {
    X509Certificate leaf = certificate("CN=x", SHA256, later, "dns:x");
    X509Certificate above = certificate("CN=between", "SHA1withECDSA", later);

    assertThatThrownBy(() -> check("x", leaf, above))
        .hasMessage(
            "certificate signed by unknown authority (possibly because of \"x509: cannot verify"
                + " signature: insecure algorithm ECDSA-SHA1\" while trying to verify candidate"
                + " authority certificate \"authority\")")
        .satisfies(e -> assertThat(CertificateFlaw.of(e)).isEqualTo(CertificateFlaw.INSECURE_SHA1));
    check("x", leaf, certificate("CN=authority", "SHA1withECDSA", later));
  }

  @Test
  void expiry_isToldBeforeNames() throws Exception {
    X509Certificate over =
        certificate("CN=x", SHA256, Instant.now().minus(Duration.ofDays(1)), "dns:x");

    assertThatThrownBy(() -> check("y", over)).isInstanceOf(CertificateExpiredException.class);
  }
}
