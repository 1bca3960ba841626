package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class PemCertificateRequestsTest {

  private static KeyPair keys(String algorithm) throws GeneralSecurityException {
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
  }

  private static byte[] request(KeyPair named, KeyPair signing, String algorithm) throws Exception {
    return new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=some"), named.getPublic())
        .build(new Signer(algorithm, signing.getPrivate()))
        .getEncoded();
  }

  /** Signs by the JDK alone. */
  private static final class Signer implements ContentSigner {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final String algorithm;
    private final PrivateKey key;

    Signer(String algorithm, PrivateKey key) {
      this.algorithm = algorithm;
      this.key = key;
    }

    @Override
    public AlgorithmIdentifier getAlgorithmIdentifier() {
      return new DefaultSignatureAlgorithmIdentifierFinder().find(algorithm);
    }

    @Override
    public OutputStream getOutputStream() {
      return bytes;
    }

    @Override
    public byte[] getSignature() {
      try {
        boolean pss = algorithm.endsWith("MGF1");
        Signature signature = Signature.getInstance(pss ? "RSASSA-PSS" : algorithm);
        if (pss) {
          signature.setParameter(
              new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        }
        signature.initSign(key);
        signature.update(bytes.toByteArray());
        return signature.sign();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String pem(String type, byte[] der) throws Exception {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, der));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "EC,SHA256withECDSA",
    "EC,SHA512withECDSA",
    "RSA,SHA256withRSA",
    "RSA,SHA256withRSAandMGF1",
    "Ed25519,Ed25519"
  })
  void problem_ofARequestSignedByItsKey_isNone(String key, String algorithm) throws Exception {
    KeyPair keys = keys(key);

    assertThat(
            PemCertificateRequests.problem(
                pem("CERTIFICATE REQUEST", request(keys, keys, algorithm))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "EC,SHA256withECDSA,x509: ECDSA verification failure",
    "RSA,SHA256withRSA,crypto/rsa: verification error",
    "Ed25519,Ed25519,x509: Ed25519 verification failure"
  })
  void problem_ofARequestSignedByAnotherKey_isTheSignature(
      String key, String algorithm, String problem) throws Exception {
    byte[] forged = request(keys(key), keys(key), algorithm);

    assertThat(PemCertificateRequests.problem(pem("CERTIFICATE REQUEST", forged)))
        .isEqualTo(problem);
  }

  @Test
  void problem_ofWhatIsNoRequest_isSaid() throws Exception {
    KeyPair keys = keys("EC");
    byte[] der = request(keys, keys, "SHA256withECDSA");

    assertThat(PemCertificateRequests.problem("")).isEqualTo(PemCertificateRequests.NO_REQUEST);
    assertThat(PemCertificateRequests.problem(pem("CERTIFICATE", der)))
        .isEqualTo(PemCertificateRequests.NO_REQUEST);
    assertThat(PemCertificateRequests.problem(pem("CERTIFICATE REQUEST", new byte[] {1, 2})))
        .startsWith("x509: ");
  }
}
