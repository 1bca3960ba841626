package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemPrivateKeysTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void key_inPkcs8_isRead(String algorithm) throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
    Path file = Files.writeString(directory.resolve("key.pem"), PemPrivateKeys.text(key));

    assertThat(PemPrivateKeys.read(file)).isEqualTo(key);
  }

  @Test
  void ecKey_asOpensslWritesIt_isRead() throws IOException {
    String text =
        """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIAxIyuGWLfkT8TZRj26uE6hz0Tu1uESLGjUkzQ0tqGvwoAoGCCqGSM49
        AwEHoUQDQgAEJZUd8G+axuN0eQg377qsr8tceMl4YWtMdfMxq2zwFrQyAFa0XZz2
        uHj/mjQi2toS+KoDW+isvsDFek5miNTT0w==
        -----END EC PRIVATE KEY-----
        """;
    Path file = Files.writeString(directory.resolve("key.pem"), text);

    assertThat(PemPrivateKeys.read(file).getAlgorithm()).isEqualTo("EC");
    assertThat(PemPrivateKeys.read(file).getEncoded()).isNotEmpty();
  }

  @Test
  void rsaKey_inTheOlderForm_isRead() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path file = directory.resolve("key.pem");
    try (JcaPEMWriter writer = new JcaPEMWriter(Files.newBufferedWriter(file))) {
      writer.writeObject(pair);
    }

    assertThat(Files.readString(file)).startsWith("-----BEGIN RSA PRIVATE KEY-----");
    assertThat(PemPrivateKeys.read(file)).isEqualTo(pair.getPrivate());
  }

  @Test
  void key_encrypted_isRefused() throws IOException {
    Path file = write("ENCRYPTED PRIVATE KEY");

    assertThatThrownBy(() -> PemPrivateKeys.read(file))
        .isInstanceOf(PemException.class)
        .hasMessage(file + ": the key is encrypted, which is not supported");
  }

  @Test
  void key_thatIsRubbish_isRefused() throws IOException {
    Path file = write("PRIVATE KEY");

    assertThatThrownBy(() -> PemPrivateKeys.read(file))
        .isInstanceOf(PemException.class)
        .hasMessage(file + ": the key is neither EC, RSA nor Ed25519");
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    Path file = directory.resolve("none");

    assertThatThrownBy(() -> PemPrivateKeys.read(file))
        .isInstanceOf(PemException.class)
        .hasMessageStartingWith("cannot read " + file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY"})
  void key_inAnOlderFormAndEncrypted_isRefused(String type) {
    String text =
        "-----BEGIN %s-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END %s-----\n"
            .formatted(type, type);

    assertThatThrownBy(() -> PemPrivateKeys.parse("file", text))
        .isInstanceOf(PemException.class)
        .hasMessage("file: the key is encrypted, which is not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY"})
  void key_inAnOlderFormThatIsRubbish_isRefused(String type) throws IOException {
    Path file = write(type);

    assertThatThrownBy(() -> PemPrivateKeys.read(file))
        .isInstanceOf(PemException.class)
        .hasMessageStartingWith(file + ": the private key cannot be read: ");
  }

  @Test
  void ecKey_withoutItsCurve_isRefused() throws IOException {
    byte[] key = new org.bouncycastle.asn1.sec.ECPrivateKey(256, BigInteger.TWO).getEncoded();
    String text = new PemBlock("EC PRIVATE KEY", key).text();

    assertThatThrownBy(() -> PemPrivateKeys.parse("file", text))
        .isInstanceOf(PemException.class)
        .hasMessage("file: the private key cannot be read: it does not name its curve");
  }

  @Test
  void key_ofAnotherAlgorithm_isRefused() throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate();

    assertThatThrownBy(() -> PemPrivateKeys.parse("file", PemPrivateKeys.text(key)))
        .isInstanceOf(PemException.class)
        .hasMessage("file: the key is neither EC, RSA nor Ed25519");
  }

  @Test
  void textWithoutAKey_isRefused() {
    assertThatThrownBy(() -> PemPrivateKeys.parse("file", "-----BEGIN PRIVATE KEY-----\nAAAA\n"))
        .isInstanceOf(PemException.class)
        .hasMessage("file holds no private key in PEM");
  }

  @Test
  void ecKey_forClients_isInSec1WithItsPublicHalf() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    String text = PemPrivateKeys.textForClients(pair.getPrivate(), pair.getPublic());

    assertThat(text).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
    assertThat(((ECPrivateKey) PemPrivateKeys.parse("text", text)).getS())
        .isEqualTo(((ECPrivateKey) pair.getPrivate()).getS());
  }

  @Test
  void rsaKey_forClients_isInPkcs8() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();

    assertThat(PemPrivateKeys.textForClients(pair.getPrivate(), pair.getPublic()))
        .isEqualTo(PemPrivateKeys.text(pair.getPrivate()));
  }

  private Path write(String label) throws IOException {
    return Files.writeString(
        directory.resolve("x.pem"),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(label, Base64.getEncoder().encodeToString(new byte[40]), label));
  }
}
