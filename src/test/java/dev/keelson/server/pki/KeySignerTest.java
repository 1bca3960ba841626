package dev.keelson.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.pem.PemCertificates;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySignerTest {

  @ParameterizedTest
  @CsvSource({"EC, SHA256withECDSA", "RSA, SHA256withRSA"})
  void signer_signsAsThatOfBouncyCastle(String type, String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(type).generateKeyPair();

    ContentSigner signer = KeySigner.of(pair.getPrivate());

    ContentSigner expected = new JcaContentSignerBuilder(algorithm).build(pair.getPrivate());
    assertThat(signer.getAlgorithmIdentifier()).isEqualTo(expected.getAlgorithmIdentifier());
    certificate(pair, signer).verify(pair.getPublic());
  }

  private static X509Certificate certificate(KeyPair pair, ContentSigner signer) throws Exception {
    X500Name name = new X500Name("CN=test");
    Instant now = Instant.ofEpochSecond(1_800_000_000);
    return PemCertificates.decode(
        new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now),
                Date.from(now.plusSeconds(60)),
                name,
                pair.getPublic())
            .build(signer)
            .getEncoded());
  }
}
