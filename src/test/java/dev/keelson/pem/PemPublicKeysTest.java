package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.TestAuthority;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PemPublicKeysTest {

  private static final KeyPair EC = ec("secp256r1");
  private static final KeyPair RSA = keys("RSA");
  private static final X509Certificate CERTIFICATE = TestAuthority.root("one").certificate();

  private static KeyPair keys(String algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair ec(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyKindOfBlock_givesItsKey() throws Exception {
    String text =
        new PemBlock("EC PARAMETERS", new byte[3]).text()
            + new PemBlock("PUBLIC KEY", EC.getPublic().getEncoded()).text()
            + new PemBlock("PUBLIC KEY", RSA.getPublic().getEncoded()).text()
            + new PemBlock("ENCRYPTED PRIVATE KEY", new byte[3]).text()
            + new PemBlock(
                    "RSA PUBLIC KEY",
                    SubjectPublicKeyInfo.getInstance(RSA.getPublic().getEncoded())
                        .parsePublicKey()
                        .getEncoded())
                .text()
            + PemCertificates.text(List.of(CERTIFICATE))
            + PemPrivateKeys.text(EC.getPrivate())
            + PemPrivateKeys.textForClients(EC.getPrivate(), EC.getPublic())
            + new PemBlock(
                    "RSA PRIVATE KEY",
                    PrivateKeyInfo.getInstance(RSA.getPrivate().getEncoded())
                        .parsePrivateKey()
                        .toASN1Primitive()
                        .getEncoded())
                .text();

    assertThat(PemPublicKeys.parse("text", text))
        .containsExactly(
            EC.getPublic(),
            RSA.getPublic(),
            RSA.getPublic(),
            CERTIFICATE.getPublicKey(),
            EC.getPublic(),
            EC.getPublic(),
            RSA.getPublic());
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
  void halfOf_ecKey_isItsPublicKey(String curve) {
    KeyPair pair = ec(curve);

    assertThat(PemPublicKeys.halfOf(pair.getPrivate())).isEqualTo(pair.getPublic());
  }

  @Test
  void halfOf_rsaKey_isItsPublicKey() {
    assertThat(PemPublicKeys.halfOf(RSA.getPrivate())).isEqualTo(RSA.getPublic());
  }

  @Test
  void halfOf_keyOfAnotherType_isRefused() {
    assertThatThrownBy(() -> PemPublicKeys.halfOf(keys("Ed25519").getPrivate()))
        .isInstanceOf(PemException.class)
        .hasMessage("a key of type EdDSA");
  }

  @Test
  void textWithoutAKey_isRefused() {
    assertThatThrownBy(() -> PemPublicKeys.parse("file", new PemBlock("OTHER", new byte[1]).text()))
        .isInstanceOf(PemException.class)
        .hasMessage("file holds no key in PEM");
  }

  @Test
  void publicKey_ofAnotherAlgorithm_isRefused() {
    String text = new PemBlock("PUBLIC KEY", keys("X25519").getPublic().getEncoded()).text();

    assertThatThrownBy(() -> PemPublicKeys.parse("file", text))
        .isInstanceOf(PemException.class)
        .hasMessage("file: the key is neither EC, RSA nor Ed25519");
  }

  /** Bouncy Castle's many runtime exceptions for malformed ASN.1 must not reach callers. */
  @Test
  void malformedDer_isRefusedWithPemExceptionOnly() throws Exception {
    SplittableRandom random = new SplittableRandom(42);
    List<PemBlock> blocks =
        List.of(
            new PemBlock("PUBLIC KEY", EC.getPublic().getEncoded()),
            new PemBlock("RSA PUBLIC KEY", RSA.getPublic().getEncoded()),
            new PemBlock("CERTIFICATE", CERTIFICATE.getEncoded()),
            new PemBlock("PRIVATE KEY", EC.getPrivate().getEncoded()),
            new PemBlock("PRIVATE KEY", RSA.getPrivate().getEncoded()),
            PemBlocks.in(PemPrivateKeys.textForClients(EC.getPrivate(), EC.getPublic())).getFirst(),
            new PemBlock("RSA PRIVATE KEY", new byte[] {0x30, 0}),
            new PemBlock("EC PRIVATE KEY", new byte[] {0x02, 1, 0}));
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
      PemBlock block = blocks.get(round % blocks.size());
      byte[] der = block.der().clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        der[random.nextInt(Math.min(der.length, 60))] = (byte) random.nextInt(256);
      }
      byte[] cut = java.util.Arrays.copyOf(der, random.nextInt(der.length) + 1);
      for (byte[] each : List.of(der, cut)) {
        try {
          PemPublicKeys.parse("file", new PemBlock(block.type(), each).text());
        } catch (PemException e) {
          assertThat(e).hasMessageStartingWith("file: ");
          refused++;
        }
      }
    }

    assertThat(refused).isGreaterThan(4000);
  }
}
